#include "core/nn/cpu/linear.h"

#include <algorithm>
#include <cassert>

#include "core/nn/cpu/linear_block.h"
#include "core/nn/cpu/processor.h"

namespace tabula {
namespace {

constexpr int kLanes = kLinearLanes;

}  // namespace

Linear::Linear(int inputs, int outputs, std::span<const float> weights, std::span<const float> bias)
    : inputs_(inputs), outputs_(outputs), groups_((outputs + kLanes - 1) / kLanes) {
  assert(weights.size() == std::size_t(inputs) * std::size_t(outputs));
  packed_.resize(std::size_t(groups_) * std::size_t(inputs) * kLanes);
  bias_.resize(std::size_t(groups_) * kLanes);
  std::ranges::copy(bias, bias_.begin());
  for (int o = 0; o < outputs; ++o)
    for (int i = 0; i < inputs; ++i)
      packed_[std::size_t((o / kLanes * inputs + i) * kLanes + o % kLanes)] =
          weights[std::size_t(o * inputs + i)];
}

void Linear::run(int rows, const float* in, int in_stride, float* out, int out_stride,
                 bool relu) const {
  static const bool fast = avx2_usable();
  const auto compute = fast ? linear_block_avx2 : linear_block_plain;
  constexpr int kRows = 64, kGroups = 4;
  alignas(32) float sums[kRows * kGroups * kLanes];
  for (int row = 0; row < rows; row += kRows)
    for (int g = 0; g < groups_; g += kGroups) {
      const int count = std::min(kRows, rows - row), groups = std::min(kGroups, groups_ - g);
      const int used = std::min(groups * kLanes, outputs_ - g * kLanes);
      compute({count, groups, inputs_, in_stride, in + std::ptrdiff_t(row) * in_stride,
               packed_.data() + std::ptrdiff_t(g) * inputs_ * kLanes, bias_.data() + g * kLanes,
               sums});
      for (int r = 0; r < count; ++r)
        for (int i = 0; i < used; ++i) {
          const float sum = sums[r * groups * kLanes + i];
          out[std::ptrdiff_t(row + r) * out_stride + g * kLanes + i] = relu && sum < 0 ? 0 : sum;
        }
    }
}

void linear_block_plain(const LinearBlock& block) {
  for (int r = 0; r < block.rows; ++r)
    for (int g = 0; g < block.groups; ++g) {
      const float* in = block.in + std::ptrdiff_t(r) * block.in_stride;
      const float* weights = block.weights + std::ptrdiff_t(g) * block.inputs * kLanes;
      float sum[kLanes];
      std::copy_n(block.bias + g * kLanes, kLanes, sum);
      for (int i = 0; i < block.inputs; ++i)
        for (int lane = 0; lane < kLanes; ++lane)
          sum[lane] += in[i] * weights[std::ptrdiff_t(i) * kLanes + lane];
      std::copy_n(sum, kLanes, block.sums + (r * block.groups + g) * kLanes);
    }
}

}  // namespace tabula
