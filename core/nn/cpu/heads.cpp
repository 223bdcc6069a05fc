#include "core/nn/cpu/heads.h"

#include "core/nn/cpu/pooling.h"

namespace tabula {
namespace {

std::vector<float> joined(std::vector<float> first, const std::vector<float>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

}  // namespace

Heads::Heads(const Net& net)
    : shape_(net.shape),
      channels_(net.config.head_channels),
      policy_(linear_of(net, "policy.out")),
      hidden_(linear_of(net, "value.hidden")),
      value_(net.config.hidden, 4, joined(net["value.wdl.weight"], net["value.moves.weight"]),
             joined(net["value.wdl.bias"], net["value.moves.bias"])) {
  if (shape_.action_planes > 0 && shape_.extras() > 0) extra_ = linear_of(net, "policy.extra");
}

void Heads::run(int rows, const Features& features, float* outputs) {
  const int width = shape_.cells() * channels_, stride = shape_.outputs();
  if (shape_.action_planes > 0)
    policy_by_cell(rows, features.policy, outputs);
  else
    policy_.run(rows, features.policy, width, outputs, stride, false);
  hidden_out_.resize(std::size_t(rows) * std::size_t(hidden_.outputs()));
  hidden_.run(rows, features.value, width, hidden_out_.data(), hidden_.outputs(), true);
  value_.run(rows, hidden_out_.data(), hidden_.outputs(), outputs + shape_.actions, stride, false);
}

void Heads::policy_by_cell(int rows, const float* features, float* outputs) {
  const int cells = shape_.cells(), planes = shape_.action_planes, stride = shape_.outputs();
  by_cell_.resize(std::size_t(rows) * std::size_t(cells * planes));
  policy_.run(rows * cells, features, channels_, by_cell_.data(), planes, false);
  for (int row = 0; row < rows; ++row)
    for (int cell = 0; cell < cells; ++cell)
      for (int k = 0; k < planes; ++k)
        outputs[row * stride + k * cells + cell] =
            by_cell_[std::size_t((row * cells + cell) * planes + k)];
  if (shape_.extras() == 0) return;
  means_.assign(std::size_t(rows) * std::size_t(channels_), 0.f);
  for (int row = 0; row < rows; ++row)
    for (int cell = 0; cell < cells; ++cell)
      for (int c = 0; c < channels_; ++c)
        means_[std::size_t(row * channels_ + c)] +=
            features[(row * cells + cell) * channels_ + c] / float(cells);
  extra_.run(rows, means_.data(), channels_, outputs + planes * cells, stride, false);
}

}  // namespace tabula
