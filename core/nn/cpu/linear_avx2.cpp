// Compiled for AVX2 and FMA: no inline function of the standard library may be used here, or the
// linker could take this file's copy for a processor that lacks them.
#include <immintrin.h>

#include "core/nn/cpu/linear_block.h"

namespace tabula {
namespace {

constexpr int kLanes = kLinearLanes;

// A few rows or a few groups side by side share loads and hide how long an addition takes; every
// sum runs over the inputs in order, so it does not matter which are computed together. (Unrolled
// by order: gcc would else keep a copy of the sums in memory.)
template <int kRows, int kGroups>
void tile(const LinearBlock& block, int row, int group) {
  __m256 sum[kRows][kGroups];
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 8
    for (int g = 0; g < kGroups; ++g)
      sum[r][g] = _mm256_loadu_ps(block.bias + (group + g) * kLanes);
  const float* in = block.in + long(row) * block.in_stride;
  const float* weights = block.weights + long(group) * block.inputs * kLanes;
  for (int i = 0; i < block.inputs; ++i, weights += kLanes)
#pragma GCC unroll 8
    for (int g = 0; g < kGroups; ++g) {
      const __m256 column = _mm256_loadu_ps(weights + long(g) * block.inputs * kLanes);
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r)
        sum[r][g] = _mm256_fmadd_ps(_mm256_broadcast_ss(in + long(r) * block.in_stride + i), column,
                                    sum[r][g]);
    }
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 8
    for (int g = 0; g < kGroups; ++g)
      _mm256_storeu_ps(block.sums + ((row + r) * block.groups + group + g) * kLanes, sum[r][g]);
}

}  // namespace

void linear_block_avx2(const LinearBlock& block) {
  int row = 0;
  for (; row + 8 <= block.rows; row += 8)
    for (int g = 0; g < block.groups; ++g) tile<8, 1>(block, row, g);
  for (; row < block.rows; ++row) {
    int g = 0;
    for (; g + 4 <= block.groups; g += 4) tile<1, 4>(block, row, g);
    for (; g < block.groups; ++g) tile<1, 1>(block, row, g);
  }
}

}  // namespace tabula
