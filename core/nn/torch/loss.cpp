#include "core/nn/torch/loss.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>

namespace tabula {
namespace {

// Mean of rows by their weights, which come to `total`; 0 if none has any.
at::Tensor weighted_mean(const at::Tensor& rows, const at::Tensor& weights, double total) {
  return (rows * weights).sum() / std::max(total, 1e-6);
}

at::Tensor cross_entropy(const at::Tensor& target, const at::Tensor& logits) {
  return -(target * at::log_softmax(logits, 1)).sum(1);
}

}  // namespace

BatchTensors to_tensors(const TrainingBatch& batch, const NetShape& shape, at::Device device,
                        at::ScalarType type) {
  const std::int64_t rows = batch.rows;
  const auto tensor = [&](const std::vector<float>& values, at::IntArrayRef sizes) {
    auto* data = const_cast<float*>(values.data());  // only read, then copied
    return at::from_blob(data, sizes, at::kFloat).to(device, type, false, /*copy=*/true);
  };
  return {tensor(batch.planes, {rows, shape.planes, shape.rows, shape.cols}),
          tensor(batch.legal, {rows, shape.actions}),
          tensor(batch.policy, {rows, shape.actions}),
          tensor(batch.reply, {rows, shape.actions}),
          tensor(batch.wdl, {rows, 3}),
          tensor(batch.moves_left, {rows}),
          tensor(batch.policy_share, {rows}),
          tensor(batch.reply_share, {rows}),
          tensor(batch.moves_left_share, {rows})};
}

LossCounts LossCounts::of(const TrainingBatch& batch) {
  const auto sum = [](const std::vector<float>& shares) {
    return std::accumulate(shares.begin(), shares.end(), 0.);
  };
  return {double(batch.rows), sum(batch.policy_share), sum(batch.reply_share),
          sum(batch.moves_left_share)};
}

Losses LossParts::numbers() const {
  return {total.item<double>(), policy.item<double>(), wdl.item<double>(),
          moves_left.item<double>(), reply.item<double>()};
}

LossParts losses_of(const NetOutputs& outputs, const BatchTensors& batch, const LossCounts& counts,
                    const TrainConfig& config) {
  constexpr double kNever = -1e9;  // a logit that no softmax sees; finite, so that 0 * it is 0
  const auto type = batch.wdl.scalar_type();
  const at::Tensor logits = outputs.policy.to(type).masked_fill(batch.legal == 0, kNever);
  const at::Tensor moves = outputs.moves.to(type).flatten();
  LossParts parts;
  parts.policy =
      weighted_mean(cross_entropy(batch.policy, logits), batch.policy_share, counts.policy);
  parts.reply = weighted_mean(cross_entropy(batch.reply, outputs.reply.to(type)), batch.reply_share,
                              counts.reply);
  parts.wdl = cross_entropy(batch.wdl, outputs.wdl.to(type)).sum() / std::max(counts.rows, 1.);
  parts.moves_left =
      weighted_mean(at::smooth_l1_loss(moves, at::log1p(batch.moves_left), at::Reduction::None),
                    batch.moves_left_share, counts.moves_left);
  parts.total = config.policy_weight * parts.policy + config.wdl_weight * parts.wdl +
                config.moves_left_weight * parts.moves_left + config.reply_weight * parts.reply;
  return parts;
}

}  // namespace tabula
