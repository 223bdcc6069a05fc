// Compiled for AVX2 and FMA: no inline function of the standard library may be used here, or the
// linker could take this file's copy for a processor that lacks them.
#include <immintrin.h>

#include "core/nn/cpu/linear.h"

namespace tabula {
namespace {

constexpr int kLanes = Linear::kLanes;

// Rows side by side share each load of the weights; every sum runs over the inputs in order, so it
// does not matter how many rows there are.
template <int kRows>
void rows_of(const LinearGroup& group, int row) {
  __m256 sum[kRows];
  for (int r = 0; r < kRows; ++r) sum[r] = _mm256_loadu_ps(group.bias);
  const float* in = group.in + long(row) * group.in_stride;
  for (int i = 0; i < group.inputs; ++i) {
    const __m256 weights = _mm256_loadu_ps(group.weights + long(i) * kLanes);
    for (int r = 0; r < kRows; ++r)
      sum[r] =
          _mm256_fmadd_ps(_mm256_broadcast_ss(in + long(r) * group.in_stride + i), weights, sum[r]);
  }
  for (int r = 0; r < kRows; ++r) _mm256_storeu_ps(group.sums + (row + r) * kLanes, sum[r]);
}

}  // namespace

void linear_group_avx2(const LinearGroup& group) {
  int row = 0;
  for (; row + 8 <= group.rows; row += 8) rows_of<8>(group, row);
  for (; row < group.rows; ++row) rows_of<1>(group, row);
}

}  // namespace tabula
