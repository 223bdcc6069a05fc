// What AMX tiles compute, in plain code: the reference for the tiles, and a way to see what bf16
// does to a network on any machine.
#include <cmath>
#include <cstring>

#include "core/nn/cpu/processor.h"
#include "core/nn/cpu/tile_kernel.h"

namespace tabula {
namespace {

struct PlainTiles {
  static thread_local float sums[4][kTileFloats];

  static void clear_sums() { std::memset(sums, 0, sizeof sums); }
  static void store_sums(float* out) { std::memcpy(out, sums, sizeof sums); }

  static void multiply(const Bf16* cells, int stride, const Bf16* w0, const Bf16* w1) {
    static const auto multiply_tile = avx2_usable() ? multiply_tile_avx2 : multiply_tile_plain;
    for (int half = 0; half < 2; ++half) {
      multiply_tile(cells + long(half) * kTileRows * stride, stride, w0, sums[half * 2]);
      multiply_tile(cells + long(half) * kTileRows * stride, stride, w1, sums[half * 2 + 1]);
    }
  }
};

thread_local float PlainTiles::sums[4][kTileFloats];

}  // namespace

void multiply_tile_plain(const Bf16* cells, int stride, const Bf16* weights, float* sum) {
  for (int row = 0; row < kTileRows; ++row)
    for (int out = 0; out < 16; ++out) {
      float even = 0, odd = 0;
      for (int pair = 0; pair < kTilePairs; ++pair) {
        const Bf16* cell = cells + long(row) * stride + 2 * pair;
        const Bf16* weight = weights + (pair * 16 + out) * 2;
        even = std::fma(from_bf16(cell[0]), from_bf16(weight[0]), even);
        odd = std::fma(from_bf16(cell[1]), from_bf16(weight[1]), odd);
      }
      sum[row * 16 + out] += even + odd;
    }
}

void finish_plain(const TileConvolution& c, int cell, int out, const float* sums) {
  for (int i = 0; i < kTileCells; ++i) {
    const float* sum = sums + (i / 16 * 2) * kTileFloats + i % 16 * 16;
    const long at = long(cell + i) * c.out_channels + out;
    for (int o = 0; o < kTileOut; ++o) {
      float x = sum[o / 16 * kTileFloats + o % 16] + c.bias[out + o];
      if (c.residual) x += from_bf16(c.residual[at + o]);
      if (c.relu && !(x > 0)) x = 0;
      c.out[at + o] = c.on_board[cell + i] ? to_bf16(x) : Bf16(0);
    }
  }
}

FinishTiles finish_here() noexcept {
  static const FinishTiles finish = avx512_bf16_usable() ? finish_avx512 : finish_plain;
  return finish;
}

void convolve_plain(const TileConvolution& c) { convolve<PlainTiles>(c, finish_plain); }

}  // namespace tabula
