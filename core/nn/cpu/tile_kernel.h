// The loops of a tile convolution, for tiles of any make. Included by files that are compiled for
// different processors, hence the unnamed namespace.
#pragma once
#include "core/nn/cpu/tile_convolution.h"

namespace tabula {
namespace {

constexpr int kCellBlock = 1024;  // cells for which a pair of weight tiles stays in the L1 cache

// Tiles: four sums (0..3), two of cells (4, 5), two of weights (6, 7).
template <class Tiles>
void sum_taps(const TileConvolution& c, int cell, int out) {
  Tiles::clear_sums();
  const int in_tiles = c.in_channels / kTileIn;
  const long per_out = long(c.tap_count) * in_tiles * kTileWeights;
  const Bf16* w0 = c.weights + out / 16 * per_out;
  const Bf16* w1 = w0 + per_out;
  for (int tap = 0; tap < c.tap_count; ++tap) {
    const Bf16* cells = c.in + long(cell + c.taps[tap]) * c.in_channels;
    for (int k = 0; k < in_tiles; ++k, w0 += kTileWeights, w1 += kTileWeights)
      Tiles::multiply(cells + k * kTileIn, c.in_channels, w0, w1);
  }
}

template <class Tiles>
void convolve(const TileConvolution& c, FinishTiles finish) {
  alignas(64) float sums[4 * kTileFloats];
  for (int block = 0; block < c.cells; block += kCellBlock) {
    const int end = block + kCellBlock < c.cells ? block + kCellBlock : c.cells;
    for (int out = 0; out < c.out_channels; out += kTileOut)
      for (int cell = block; cell < end; cell += kTileCells) {
        sum_taps<Tiles>(c, cell, out);
        Tiles::store_sums(sums);
        finish(c, cell, out, sums);
      }
  }
}

}  // namespace
}  // namespace tabula
