// A training step by LibTorch. All parameters live in one flat buffer, and so do their gradients:
// the optimiser, the average and the length of the gradient are a few vector operations.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/autocast_mode.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/version.h>

#include <chrono>
#include <cmath>
#include <cstring>

#include "core/base/cores.h"
#include "core/base/error.h"
#include "core/nn/torch/device.h"
#include "core/nn/torch/forward.h"
#include "core/nn/torch/loss.h"
#include "core/nn/torch/torch_engine.h"
#include "core/nn/torch/torch_peers.h"

namespace tabula {
namespace {

// Views of one flat buffer, by name.
TensorMap views_of(const at::Tensor& flat, const std::vector<Parameter>& parameters) {
  TensorMap views;
  std::int64_t at = 0;
  for (const Parameter& parameter : parameters) {
    views[parameter.name] = flat.narrow(0, at, parameter.size()).view(parameter.shape);
    at += parameter.size();
  }
  return views;
}

std::int64_t total_size(const std::vector<Parameter>& parameters) {
  std::int64_t size = 0;
  for (const Parameter& parameter : parameters) size += parameter.size();
  return size;
}

void set_autocast(bool on) {
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 4)
  at::autocast::set_autocast_enabled(at::kCUDA, on);
  at::autocast::set_autocast_dtype(at::kCUDA, at::kBFloat16);
#else
  at::autocast::set_enabled(on);
  at::autocast::set_autocast_gpu_dtype(at::kBFloat16);
#endif
  if (!on) at::autocast::clear_cache();
}

class TorchTrainer : public Trainer {
 public:
  TorchTrainer(const Net& net, const TrainConfig& config)
      : net_(net),
        config_(config),
        device_(device_named(config.device)),
        parameters_(parameters_of(net.shape, net.config)) {
    set_threads(config.threads > 0 ? config.threads : usable_cores());
    const auto options = at::TensorOptions(device_).dtype(at::kFloat);
    const std::int64_t size = total_size(parameters_);
    for (at::Tensor* buffer : {&weights_, &gradient_, &average_, &first_, &second_, &decayed_})
      *buffer = at::zeros({size}, options);
    load(net);
    average_.copy_(weights_);
    for (auto& [name, view] : views_of(decayed_, parameters_))
      if (name.ends_with(".weight")) view.fill_(1);
    leaves_ = views_of(weights_, parameters_);
    const TensorMap gradients = views_of(gradient_, parameters_);
    for (auto& [name, leaf] : leaves_) {
      leaf = leaf.detach().requires_grad_();
      leaf.mutable_grad() = gradients.at(name);
    }
  }

  Losses step(const TrainingBatch& batch) override {
    const BatchTensors rows = to_tensors(batch, net_.shape, device_, at::kFloat);
    const auto began = std::chrono::steady_clock::now();
    gradient_.zero_();
    if (!device_.is_cpu()) set_autocast(true);
    // Channels innermost spares turning tensors over between layers: a sixth faster with 32
    // channels, but a tenth slower with 64, where oneDNN's own layout is worth the turning.
    const at::Tensor planes = net_.config.channels < 64
                                  ? rows.planes.contiguous(at::MemoryFormat::ChannelsLast)
                                  : rows.planes;
    const LossCounts counts = counts_of(batch);
    LossParts parts = losses_of(forward(net_, leaves_, planes), rows, counts, config_);
    if (!device_.is_cpu()) set_autocast(false);
    torch::autograd::backward({parts.total}, {});
    if (peers_) peers_->sum(gradient_);
    Losses losses = of_all(parts.numbers());
    losses.l2 = config_.l2 / 2 * (weights_ * weights_).dot(decayed_).item<double>();
    losses.total += losses.l2;
    losses.gradient = gradient_.norm().item<double>();
    if (!std::isfinite(losses.total) || !std::isfinite(losses.gradient))
      throw LossIsNoNumber("the loss is no longer a number after step " + std::to_string(steps_) +
                           "; train with a lower learning rate.");
    if (config_.clip > 0 && losses.gradient > config_.clip)
      gradient_.mul_(config_.clip / losses.gradient);
    ++steps_;
    config_.optimizer == Optimizer::sgd ? step_sgd() : step_adamw();
    // While young, the average forgets faster.
    const double keep =
        std::min(double(config_.ema), (1. + double(steps_)) / (10. + double(steps_)));
    average_.lerp_(weights_, 1 - keep);
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return losses;
  }

  void set_learning_rate(float rate) override { config_.learning_rate = rate; }
  void set_threads(int threads) final { at::set_num_threads(threads); }

  void join(std::shared_ptr<Peers> peers) override {
    peers_ = std::static_pointer_cast<TorchPeers>(std::move(peers));
    for (const auto& [name, buffer] : buffers()) peers_->from_first(*buffer);
    steps_ = std::int64_t(peers_->hear({double(steps_)})[0]);
  }

  Net net() const override { return net_with(weights_); }
  Net average() const override { return net_with(average_); }
  double seconds_in_torch() const override { return seconds_; }

  TensorFile state() const override {
    TensorFile file{{{"format", "tabula training 1"}, {"steps", std::to_string(steps_)}}, {}};
    for (const auto& [name, buffer] : buffers()) file.tensors[name] = to_tensor(*buffer);
    return file;
  }

  void restore(const TensorFile& state) override {
    for (const auto& [name, buffer] : buffers()) {
      const auto found = state.tensors.find(name);
      if (found == state.tensors.end() ||
          std::int64_t(found->second.values.size()) != buffer->numel())
        throw Error("this training state belongs to another network.");
      copy_in(found->second.values, *buffer);
    }
    steps_ = std::stoll(state.metadata.at("steps"));
  }

  double loss(const TrainingBatch& batch) override { return in_double(batch).first; }
  std::map<std::string, std::vector<double>> gradients(const TrainingBatch& batch) override {
    return in_double(batch).second;
  }

 private:
  using Gradients = std::map<std::string, std::vector<double>>;

  LossCounts counts_of(const TrainingBatch& batch) {
    const LossCounts own = LossCounts::of(batch);
    if (!peers_) return own;
    at::Tensor all = at::tensor({own.rows, own.policy, own.reply, own.moves_left}, at::kDouble);
    peers_->sum(all);
    const double* data = all.data_ptr<double>();
    return {data[0], data[1], data[2], data[3]};
  }
  // Each trainer's part is divided by the rows of all, so that the sum is the mean.
  Losses of_all(Losses own) {
    if (!peers_) return own;
    at::Tensor all =
        at::tensor({own.total, own.policy, own.wdl, own.moves_left, own.reply}, at::kDouble);
    peers_->sum(all);
    const double* data = all.data_ptr<double>();
    return {data[0], data[1], data[2], data[3], data[4]};
  }

  void step_sgd() {
    gradient_.addcmul_(weights_, decayed_, config_.l2);
    first_.mul_(config_.momentum).add_(gradient_);
    weights_.sub_(first_, config_.learning_rate);
  }

  void step_adamw() {
    const double b1 = config_.momentum, b2 = config_.second_momentum, n = double(steps_);
    weights_.addcmul_(weights_, decayed_, -config_.learning_rate * config_.l2);
    first_.mul_(b1).add_(gradient_, 1 - b1);
    second_.mul_(b2).addcmul_(gradient_, gradient_, 1 - b2);
    const at::Tensor scale = second_.sqrt().div_(std::sqrt(1 - std::pow(b2, n))).add_(1e-8);
    weights_.addcdiv_(first_, scale, -config_.learning_rate / (1 - std::pow(b1, n)));
  }

  std::pair<double, Gradients> in_double(const TrainingBatch& batch) {
    const Net now = net();
    TensorMap leaves = tensors_of(now, device_, at::kDouble);
    for (auto& [name, leaf] : leaves) leaf.requires_grad_();
    const BatchTensors rows = to_tensors(batch, net_.shape, device_, at::kDouble);
    at::Tensor total =
        losses_of(forward(net_, leaves, rows.planes), rows, LossCounts::of(batch), config_).total;
    for (const auto& [name, leaf] : leaves)
      if (name.ends_with(".weight")) total = total + double(config_.l2) / 2 * (leaf * leaf).sum();
    torch::autograd::backward({total}, {});
    Gradients gradients;
    for (const auto& [name, leaf] : leaves) {
      const at::Tensor flat = leaf.grad().cpu().contiguous();
      gradients[name].assign(flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel());
    }
    return {total.item<double>(), std::move(gradients)};
  }

  std::vector<std::pair<std::string, at::Tensor*>> buffers() const {
    auto* self = const_cast<TorchTrainer*>(this);
    return {{"weights", &self->weights_},
            {"average", &self->average_},
            {"first", &self->first_},
            {"second", &self->second_}};
  }

  static void copy_in(const std::vector<float>& values, at::Tensor& to) {
    auto* data = const_cast<float*>(values.data());  // only read
    to.copy_(at::from_blob(data, {std::int64_t(values.size())}, at::kFloat));
  }
  static Tensor to_tensor(const at::Tensor& from) {
    const at::Tensor host = from.detach().cpu().contiguous();
    const float* data = host.data_ptr<float>();
    return {{from.sizes().begin(), from.sizes().end()}, {data, data + host.numel()}};
  }

  void load(const Net& net) {
    for (auto& [name, view] : views_of(weights_, parameters_)) {
      at::Tensor flat = view.view({-1});
      copy_in(net[name], flat);
    }
  }
  Net net_with(const at::Tensor& flat) const {
    Net net = net_;
    for (auto& [name, view] : views_of(flat, parameters_)) net.weights[name] = to_tensor(view);
    return net;
  }

  Net net_;
  TrainConfig config_;
  c10::Device device_;
  std::vector<Parameter> parameters_;
  std::shared_ptr<TorchPeers> peers_;
  at::Tensor weights_, gradient_, average_, first_, second_;
  at::Tensor decayed_;  // 1 where L2 applies
  TensorMap leaves_;
  std::int64_t steps_ = 0;
  double seconds_ = 0;
};

}  // namespace

std::unique_ptr<Trainer> torch_trainer(const Net& net, const TrainConfig& config) {
  return std::make_unique<TorchTrainer>(net, config);
}

}  // namespace tabula
