// Convolutions in bf16 on AMX tiles, and the same sums in plain code.
//
// Boards lie one after another, a padding cell to the right of each row and a padding row above
// each board, shared between neighbours and always zero: a tap of the kernel is a plain offset, and
// 16 cells are one strided tile. A row's sum is taken in the same order whatever the batch.
//
// The AMX file includes this, so there is nothing of the standard library in it but types.
#pragma once
#include <cstdint>

namespace tabula {

using Bf16 = std::uint16_t;

constexpr int kTileRows = 16;      // cells in a tile
constexpr int kTilePairs = 16;     // pairs of input channels in a tile
constexpr int kTileFloats = 256;   // of a sum: 16 cells x 16 output channels
constexpr int kTileWeights = 512;  // 16 pairs x 16 output channels x 2
constexpr int kTileCells = 32;     // cells in one step: two tiles
constexpr int kTileOut = 32;       // output channels in one step: two tiles
constexpr int kTileIn = 32;        // input channels in one tile

// out = f(sum over taps + bias + residual) on cells of the boards, zero elsewhere.
// requires: in_channels and out_channels multiples of 32, cells of kTileCells; in readable at every
// tap's offset from every cell; buffers aligned to 64 bytes.
struct TileConvolution {
  const Bf16* in;
  Bf16* out;
  const Bf16* residual;  // like out, or null
  const Bf16* weights;   // [out / 16][tap][in / 32][pair][out % 16][2]
  const float* bias;     // [out]
  const int* taps;       // offsets in cells
  const std::uint8_t* on_board;
  int tap_count, in_channels, out_channels, cells;
  bool relu;
};

void convolve_amx(const TileConvolution& c);  // requires: tiles, real or emulated
void convolve_plain(const TileConvolution& c);

// What follows the sums, of one step's cells and output channels from (cell, out) on.
// sums: of cell i and output o in tile [i / 16][o / 16], row i % 16.
using FinishTiles = void (*)(const TileConvolution& c, int cell, int out, const float* sums);
void finish_plain(const TileConvolution& c, int cell, int out, const float* sums);
void finish_avx512(const TileConvolution& c, int cell, int out, const float* sums);
// A processor with tiles has AVX-512; where tiles are emulated it may be without.
FinishTiles finish_here() noexcept;

// sum += cells x weights, as the manual has it: even and odd products apart, each by fused
// multiplication and addition, then both into the sum.
void multiply_tile_plain(const Bf16* cells, int stride, const Bf16* weights, float* sum);
void multiply_tile_avx2(const Bf16* cells, int stride, const Bf16* weights, float* sum);

// Multiplies two tiles and compares. True where AMX works; dies or returns false where not.
bool try_amx();

// Round to nearest, ties to even. requires: finite
inline Bf16 to_bf16(float x) {
  std::uint32_t word;
  __builtin_memcpy(&word, &x, 4);
  return Bf16((word + 0x7fff + ((word >> 16) & 1)) >> 16);
}
inline float from_bf16(Bf16 x) {
  const std::uint32_t word = std::uint32_t(x) << 16;
  float value;
  __builtin_memcpy(&value, &word, 4);
  return value;
}

}  // namespace tabula
