// Compiled for AMX and AVX-512: no inline function of the standard library may be used here, or the
// linker could take this file's copy for a processor that lacks them.
#include <immintrin.h>

#include "core/nn/cpu/tile_kernel.h"

namespace tabula {
namespace {

// Palette 1: eight tiles of 16 rows x 64 bytes.
void configure_tiles() {
  alignas(64) std::uint8_t config[64] = {1};
  for (int tile = 0; tile < 8; ++tile) {
    config[16 + 2 * tile] = 64;
    config[48 + tile] = 16;
  }
  asm volatile("" : : "r"(config) : "memory");  // gcc 12 sees only 8 bytes read by the next line
  _tile_loadconfig(config);
}

__m512 widen(__m256i x) {
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(x), 16));
}

struct AmxTiles {
  static void clear_sums() {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
  }

  static void multiply(const Bf16* cells, int stride, const Bf16* w0, const Bf16* w1) {
    _tile_loadd(4, cells, long(stride) * 2);
    _tile_loadd(5, cells + long(kTileRows) * stride, long(stride) * 2);
    _tile_loadd(6, w0, 64);
    _tile_loadd(7, w1, 64);
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(1, 4, 7);
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
  }

  static void store_sums(float* out) {
    _tile_stored(0, out, 64);
    _tile_stored(1, out + kTileFloats, 64);
    _tile_stored(2, out + 2 * kTileFloats, 64);
    _tile_stored(3, out + 3 * kTileFloats, 64);
  }

  static void finish(const TileConvolution& c, int cell, int out, const float* sum) {
    const long at = long(cell) * c.out_channels + out;
    __m512 x0 = _mm512_add_ps(_mm512_load_ps(sum), _mm512_loadu_ps(c.bias + out));
    __m512 x1 =
        _mm512_add_ps(_mm512_load_ps(sum + kTileFloats), _mm512_loadu_ps(c.bias + out + 16));
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
};

}  // namespace

void convolve_amx(const TileConvolution& c) {
  configure_tiles();
  convolve<AmxTiles>(c);
  _tile_release();
}

bool try_amx() {
  alignas(64) Bf16 cells[2 * kTileRows * kTileIn], weights[kTileWeights];
  alignas(64) float sums[4 * kTileFloats];
  for (Bf16& x : cells) x = 0x3f80;    // 1
  for (Bf16& x : weights) x = 0x4000;  // 2
  configure_tiles();
  AmxTiles::clear_sums();
  AmxTiles::multiply(cells, kTileIn, weights, weights);
  AmxTiles::store_sums(sums);
  _tile_release();
  for (float sum : sums)
    if (sum != 2 * kTileIn) return false;
  return true;
}

}  // namespace tabula
