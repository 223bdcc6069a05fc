// A 3 x 3 convolution in Winograd's way, F(2x2, 3x3): a tile of 4 x 4 inputs gives 2 x 2 outputs by
// 16 multiplications instead of 36. Files that are compiled for some processors include this: nothing
// of the standard library.
#pragma once

namespace tabula {

constexpr int kWinogradPoints = 16;  // of a transformed tile
constexpr int kWinogradLanes = 16;   // outputs that are computed side by side
constexpr int kAvx2Floats = 8, kAvx512Floats = 16;  // of a register

// Activations: [board][cell][channel].
struct WinogradConvolution {
  const float* in;
  float* out;
  const float* residual;  // added before the ReLU unless null; may be `out`
  const float* weights;   // [out / lanes][point][in][lane], transformed
  const float* bias;
  const int* seen;     // [tile][point]: the cell of a board, or -1 outside; 5, 6, 9, 10 are written
  const float* zeros;  // a cell outside the board
  float *inputs, *sums;             // room for [point][tile][in], for [point][tile][lane]
  long inputs_stride, sums_stride;  // floats from one point to the next
  int boards, tiles, cells;         // tiles and cells of one board
  int in_stride;                    // floats of an input cell, a multiple of a register's
  int in_channels, out_channels;    // out: a multiple of kWinogradLanes
  bool relu;
};

// Every sum runs over the inputs in order, so a board gets the same among any others, and from both.
void convolve_winograd_avx2(const WinogradConvolution& c);    // requires: AVX2 and FMA
void convolve_winograd_avx512(const WinogradConvolution& c);  // requires: AVX-512 F

}  // namespace tabula
