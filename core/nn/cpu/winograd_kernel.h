// The loops of Winograd's convolution, for registers of any width. Included by files that are
// compiled for different processors, hence the unnamed namespace. Each number is computed by the
// same operations in the same order whatever the width, so all processors agree bit by bit.
#pragma once
#include "core/nn/cpu/winograd.h"

namespace tabula {
namespace {

// Loops over registers are unrolled by order: gcc would else keep a copy of them in memory.
constexpr int kLanes = kWinogradLanes, kPoints = kWinogradPoints;

// V: a register of V::kFloats numbers and what it can do; V::kMostTiles may be summed side by side.
template <class V>
struct Winograd {
  using Register = typename V::Register;
  static constexpr int kFloats = V::kFloats, kRegisters = kLanes / kFloats;

  // Four numbers that lie `step` apart, by the transposed B of F(2, 3).
  static void transform_input(Register* x, int step) {
    const Register a = x[0], b = x[step], c = x[2 * step], d = x[3 * step];
    x[0] = V::sub(a, c);
    x[step] = V::add(b, c);
    x[2 * step] = V::sub(c, b);
    x[3 * step] = V::sub(b, d);
  }

  static void transform_inputs(const WinogradConvolution& c) {
    float* to = c.inputs;
    for (int board = 0; board < c.boards; ++board)
      for (int tile = 0; tile < c.tiles; ++tile, to += c.in_stride) {
        const float* cells[kPoints];
        for (int p = 0; p < kPoints; ++p) {
          const int cell = c.seen[tile * kPoints + p];
          cells[p] = cell < 0 ? c.zeros : c.in + (long(board) * c.cells + cell) * c.in_stride;
        }
        for (int channel = 0; channel < c.in_stride; channel += kFloats) {
          Register x[kPoints];
#pragma GCC unroll 16
          for (int p = 0; p < kPoints; ++p) x[p] = V::load(cells[p] + channel);
#pragma GCC unroll 4
          for (int i = 0; i < 4; ++i) transform_input(x + i, 4);
#pragma GCC unroll 4
          for (int i = 0; i < 4; ++i) transform_input(x + 4 * i, 1);
#pragma GCC unroll 16
          for (int p = 0; p < kPoints; ++p) V::store(to + p * c.inputs_stride + channel, x[p]);
        }
      }
  }

  template <int kTiles>
  static void multiply(const WinogradConvolution& c, const float* in, const float* weights,
                       float* out) {
    Register sum[kTiles][kRegisters];
#pragma GCC unroll 16
    for (int t = 0; t < kTiles; ++t)
#pragma GCC unroll 2
      for (int r = 0; r < kRegisters; ++r) sum[t][r] = V::zero();
    const long next_point = long(c.in_channels) * kLanes;  // its weights may be as far as the L3
    for (int k = 0; k < c.in_channels; ++k, weights += kLanes) {
      V::prefetch(weights + next_point);
      Register w[kRegisters];
#pragma GCC unroll 2
      for (int r = 0; r < kRegisters; ++r) w[r] = V::load(weights + r * kFloats);
#pragma GCC unroll 16
      for (int t = 0; t < kTiles; ++t) {
        const Register x = V::all(in + long(t) * c.in_stride + k);
#pragma GCC unroll 2
        for (int r = 0; r < kRegisters; ++r) sum[t][r] = V::multiply_add(x, w[r], sum[t][r]);
      }
    }
#pragma GCC unroll 16
    for (int t = 0; t < kTiles; ++t)
#pragma GCC unroll 2
      for (int r = 0; r < kRegisters; ++r) V::store(out + t * kLanes + r * kFloats, sum[t][r]);
  }

  // So many tiles, or fewer.
  template <int kTiles>
  static void multiply_up_to(int tiles, const WinogradConvolution& c, const float* in,
                             const float* weights, float* out) {
    if (tiles == kTiles) return multiply<kTiles>(c, in, weights, out);
    if constexpr (kTiles > 1) multiply_up_to<kTiles - 1>(tiles, c, in, weights, out);
  }

  // All tiles at one point, in parts of much the same size.
  static void multiply_point(const WinogradConvolution& c, int point, const float* weights) {
    const int tiles = c.boards * c.tiles, parts = (tiles + V::kMostTiles - 1) / V::kMostTiles;
    for (int part = 0; part < parts; ++part) {
      const int begin = tiles * part / parts, end = tiles * (part + 1) / parts;
      multiply_up_to<V::kMostTiles>(
          end - begin, c, c.inputs + point * c.inputs_stride + long(begin) * c.in_stride, weights,
          c.sums + point * c.sums_stride + long(begin) * kLanes);
    }
  }

  // Four numbers that lie `step` apart become two, by the transposed A of F(2, 3).
  static void transform_sum(Register* x, int step) {
    const Register a = x[0], b = x[step], c = x[2 * step], d = x[3 * step];
    x[0] = V::add(V::add(a, b), c);
    x[step] = V::sub(V::sub(b, c), d);
  }

  static void finish(const WinogradConvolution& c, Register x, long at, Register bias) {
    x = V::add(x, bias);
    if (c.residual) x = V::add(x, V::load(c.residual + at));
    if (c.relu) x = V::max(x, V::zero());
    V::store(c.out + at, x);
  }

  static void transform_sums(const WinogradConvolution& c, int channel) {
    const float* from = c.sums;
    for (int board = 0; board < c.boards; ++board)
      for (int tile = 0; tile < c.tiles; ++tile, from += kLanes)
        for (int lane = 0; lane < kLanes; lane += kFloats) {
          Register x[kPoints];
#pragma GCC unroll 16
          for (int p = 0; p < kPoints; ++p) x[p] = V::load(from + p * c.sums_stride + lane);
#pragma GCC unroll 4
          for (int i = 0; i < 4; ++i) transform_sum(x + i, 4);
#pragma GCC unroll 4
          for (int i = 0; i < 2; ++i) transform_sum(x + 4 * i, 1);
          const Register bias = V::load(c.bias + channel + lane);
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

  static void convolve(const WinogradConvolution& c) {
    transform_inputs(c);
    const float* weights = c.weights;
    for (int channel = 0; channel < c.out_channels; channel += kLanes) {
      for (int point = 0; point < kPoints; ++point, weights += long(c.in_channels) * kLanes)
        multiply_point(c, point, weights);
      transform_sums(c, channel);
    }
  }
};

}  // namespace
}  // namespace tabula
