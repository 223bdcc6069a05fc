// Compiled for AMX, but for no wider vectors than elsewhere: what runs here can be emulated where a
// processor has no tiles. No inline function of the standard library may be used.
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
};

}  // namespace

void convolve_amx(const TileConvolution& c) {
  const FinishTiles finish = finish_here();
  configure_tiles();
  convolve<AmxTiles>(c, finish);
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
