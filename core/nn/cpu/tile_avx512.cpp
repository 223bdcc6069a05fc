// Compiled for AVX-512, which every processor with AMX tiles has: no inline function of the standard
// library may be used here, or the linker could take this file's copy for one that lacks it.
#include <immintrin.h>

#include "core/nn/cpu/tile_convolution.h"

namespace tabula {
namespace {

__m512 widen(__m256i x) {
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(x), 16));
}

void finish_cell(const TileConvolution& c, int cell, int out, const float* sum) {
  const long at = long(cell) * c.out_channels + out;
  __m512 x0 = _mm512_add_ps(_mm512_load_ps(sum), _mm512_loadu_ps(c.bias + out));
  __m512 x1 = _mm512_add_ps(_mm512_load_ps(sum + kTileFloats), _mm512_loadu_ps(c.bias + out + 16));
  if (c.residual) {
    const __m512i r = _mm512_loadu_si512(c.residual + at);
    x0 = _mm512_add_ps(x0, widen(_mm512_castsi512_si256(r)));
    x1 = _mm512_add_ps(x1, widen(_mm512_extracti64x4_epi64(r, 1)));
  }
  if (c.relu) {
    x0 = _mm512_max_ps(x0, _mm512_setzero_ps());
    x1 = _mm512_max_ps(x1, _mm512_setzero_ps());
  }
  const __m512i y = (__m512i)_mm512_cvtne2ps_pbh(x1, x0);
  _mm512_storeu_si512(c.out + at, _mm512_maskz_mov_epi16(c.on_board[cell] ? ~0u : 0u, y));
}

}  // namespace

void finish_avx512(const TileConvolution& c, int cell, int out, const float* sums) {
  for (int i = 0; i < kTileCells; ++i)
    finish_cell(c, cell + i, out, sums + (i / 16 * 2) * kTileFloats + i % 16 * 16);
}

}  // namespace tabula
