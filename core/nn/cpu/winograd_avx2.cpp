// Compiled for AVX2 and FMA: no inline function of the standard library may be used here, or the
// linker could take this file's copy for a processor that lacks them.
#include <immintrin.h>

#include "core/nn/cpu/winograd.h"

namespace tabula {
namespace {

// Loops over registers are unrolled by order: gcc would else keep a copy of them in memory.
constexpr int kLanes = kWinogradLanes, kPoints = kWinogradPoints;
constexpr int kMostTiles = 6;  // side by side: 12 sums, and registers to spare for what feeds them

// Four numbers that lie `step` apart, by the transposed B of F(2, 3).
inline void transform_input(__m256* x, int step) {
  const __m256 a = x[0], b = x[step], c = x[2 * step], d = x[3 * step];
  x[0] = _mm256_sub_ps(a, c);
  x[step] = _mm256_add_ps(b, c);
  x[2 * step] = _mm256_sub_ps(c, b);
  x[3 * step] = _mm256_sub_ps(b, d);
}

void transform_inputs(const WinogradConvolution& c) {
  float* to = c.inputs;
  for (int board = 0; board < c.boards; ++board)
    for (int tile = 0; tile < c.tiles; ++tile, to += c.in_stride) {
      const float* cells[kPoints];
      for (int p = 0; p < kPoints; ++p) {
        const int cell = c.seen[tile * kPoints + p];
        cells[p] = cell < 0 ? c.zeros : c.in + (long(board) * c.cells + cell) * c.in_stride;
      }
      for (int channel = 0; channel < c.in_stride; channel += 8) {
        __m256 x[kPoints];
#pragma GCC unroll 16
        for (int p = 0; p < kPoints; ++p) x[p] = _mm256_load_ps(cells[p] + channel);
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) transform_input(x + i, 4);
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) transform_input(x + 4 * i, 1);
#pragma GCC unroll 16
        for (int p = 0; p < kPoints; ++p) _mm256_store_ps(to + p * c.inputs_stride + channel, x[p]);
      }
    }
}

template <int kTiles>
void multiply(const WinogradConvolution& c, const float* in, const float* weights, float* out) {
  __m256 sum[kTiles][2];
#pragma GCC unroll 8
  for (int t = 0; t < kTiles; ++t) sum[t][0] = sum[t][1] = _mm256_setzero_ps();
  const long next_point = long(c.in_channels) * kLanes;  // its weights may be as far as the L3
  for (int k = 0; k < c.in_channels; ++k, weights += kLanes) {
    _mm_prefetch(weights + next_point, _MM_HINT_T0);
    const __m256 low = _mm256_load_ps(weights), high = _mm256_load_ps(weights + 8);
#pragma GCC unroll 8
    for (int t = 0; t < kTiles; ++t) {
      const __m256 x = _mm256_broadcast_ss(in + long(t) * c.in_stride + k);
      sum[t][0] = _mm256_fmadd_ps(x, low, sum[t][0]);
      sum[t][1] = _mm256_fmadd_ps(x, high, sum[t][1]);
    }
  }
#pragma GCC unroll 8
  for (int t = 0; t < kTiles; ++t) {
    _mm256_store_ps(out + t * kLanes, sum[t][0]);
    _mm256_store_ps(out + t * kLanes + 8, sum[t][1]);
  }
}

// All tiles at one point, in parts of much the same size.
void multiply_point(const WinogradConvolution& c, int point, const float* weights) {
  static constexpr decltype(&multiply<1>) kMultiply[kMostTiles] = {
      multiply<1>, multiply<2>, multiply<3>, multiply<4>, multiply<5>, multiply<6>};
  const int tiles = c.boards * c.tiles, parts = (tiles + kMostTiles - 1) / kMostTiles;
  for (int part = 0; part < parts; ++part) {
    const int begin = tiles * part / parts, end = tiles * (part + 1) / parts;
    kMultiply[end - begin - 1](c, c.inputs + point * c.inputs_stride + long(begin) * c.in_stride,
                               weights, c.sums + point * c.sums_stride + long(begin) * kLanes);
  }
}

// Four numbers that lie `step` apart become two, by the transposed A of F(2, 3).
inline void transform_sum(__m256* x, int step) {
  const __m256 a = x[0], b = x[step], c = x[2 * step], d = x[3 * step];
  x[0] = _mm256_add_ps(_mm256_add_ps(a, b), c);
  x[step] = _mm256_sub_ps(_mm256_sub_ps(b, c), d);
}

void finish(const WinogradConvolution& c, __m256 x, long at, __m256 bias) {
  x = _mm256_add_ps(x, bias);
  if (c.residual) x = _mm256_add_ps(x, _mm256_load_ps(c.residual + at));
  if (c.relu) x = _mm256_max_ps(x, _mm256_setzero_ps());
  _mm256_store_ps(c.out + at, x);
}

void transform_sums(const WinogradConvolution& c, int channel) {
  const float* from = c.sums;
  for (int board = 0; board < c.boards; ++board)
    for (int tile = 0; tile < c.tiles; ++tile, from += kLanes)
      for (int lane = 0; lane < kLanes; lane += 8) {
        __m256 x[kPoints];
#pragma GCC unroll 16
        for (int p = 0; p < kPoints; ++p) x[p] = _mm256_load_ps(from + p * c.sums_stride + lane);
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) transform_sum(x + i, 4);
#pragma GCC unroll 4
        for (int i = 0; i < 2; ++i) transform_sum(x + 4 * i, 1);
        const __m256 bias = _mm256_load_ps(c.bias + channel + lane);
#pragma GCC unroll 2
        for (int row = 0; row < 2; ++row)
#pragma GCC unroll 2
          for (int col = 0; col < 2; ++col) {
            const int cell = c.seen[tile * kPoints + (row + 1) * 4 + col + 1];
            const long at = (long(board) * c.cells + cell) * c.out_channels + channel + lane;
            if (cell >= 0) finish(c, x[row * 4 + col], at, bias);
          }
      }
}

}  // namespace

void convolve_winograd_avx2(const WinogradConvolution& c) {
  transform_inputs(c);
  const float* weights = c.weights;
  for (int channel = 0; channel < c.out_channels; channel += kLanes) {
    for (int point = 0; point < kPoints; ++point, weights += long(c.in_channels) * kLanes)
      multiply_point(c, point, weights);
    transform_sums(c, channel);
  }
}

}  // namespace tabula
