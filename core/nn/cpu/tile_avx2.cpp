// Compiled for AVX2 and FMA: no inline function of the standard library may be used here, or the
// linker could take this file's copy for a processor that lacks them.
#include <immintrin.h>

#include "core/nn/cpu/tile_convolution.h"

namespace tabula {
namespace {

// A bf16 is the upper half of a float; a pair of them is one word, the even one below.
__m256 even_of(__m256i pairs) { return _mm256_castsi256_ps(_mm256_slli_epi32(pairs, 16)); }
__m256 odd_of(__m256i pairs) {
  return _mm256_castsi256_ps(_mm256_and_si256(pairs, _mm256_set1_epi32(int(0xffff0000))));
}

__m256i pair_everywhere(const Bf16* pair) {
  int word;
  __builtin_memcpy(&word, pair, 4);
  return _mm256_set1_epi32(word);
}

constexpr int kRows = 4;  // side by side, to hide how long a multiplication takes

// Eight outputs of four rows; each sum takes its products in the order of the plain code.
void multiply_part(const Bf16* cells, int stride, const Bf16* weights, float* sum) {
  __m256 even[kRows], odd[kRows];
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) even[r] = odd[r] = _mm256_setzero_ps();
  for (int pair = 0; pair < kTilePairs; ++pair) {
    const __m256i w = _mm256_loadu_si256((const __m256i*)(weights + pair * 32));
    const __m256 w_even = even_of(w), w_odd = odd_of(w);
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) {
      const __m256i cell = pair_everywhere(cells + long(r) * stride + 2 * pair);
      even[r] = _mm256_fmadd_ps(even_of(cell), w_even, even[r]);
      odd[r] = _mm256_fmadd_ps(odd_of(cell), w_odd, odd[r]);
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r)
    _mm256_storeu_ps(sum + r * 16, _mm256_add_ps(_mm256_loadu_ps(sum + r * 16),
                                                 _mm256_add_ps(even[r], odd[r])));
}

}  // namespace

void multiply_tile_avx2(const Bf16* cells, int stride, const Bf16* weights, float* sum) {
  for (int row = 0; row < kTileRows; row += kRows)
    for (int out = 0; out < 16; out += 8)
      multiply_part(cells + long(row) * stride, stride, weights + out * 2, sum + row * 16 + out);
}

}  // namespace tabula
