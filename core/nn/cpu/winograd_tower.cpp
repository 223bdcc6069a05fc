// The tower in fp32 by convolutions of our own, for processors with AVX2 and FMA; wider with
// AVX-512.
#include <array>
#include <cassert>
#include <limits>

#include "core/nn/cpu/aligned_buffer.h"
#include "core/nn/cpu/pooling.h"
#include "core/nn/cpu/processor.h"
#include "core/nn/cpu/tower.h"
#include "core/nn/cpu/winograd.h"

namespace tabula {
namespace {

using Floats = AlignedBuffer<float>;

int round_up(int n, int to) { return (n + to - 1) / to * to; }

// A kernel g as G g G', where G is the matrix of F(2, 3).
std::array<double, kWinogradPoints> transformed(const float* kernel) {
  constexpr double kG[4][3] = {{1, 0, 0}, {.5, .5, .5}, {.5, -.5, .5}, {0, 0, 1}};
  std::array<double, kWinogradPoints> out{};
  for (int p = 0; p < kWinogradPoints; ++p)
    for (int row = 0; row < 3; ++row)
      for (int col = 0; col < 3; ++col)
        out[std::size_t(p)] += kG[p / 4][row] * kG[p % 4][col] * double(kernel[row * 3 + col]);
  return out;
}

struct WinogradKernel {
  void (*convolve)(const WinogradConvolution&);
  int floats;  // of a register
  const char* name;
};

constexpr WinogradKernel kAvx2 = {convolve_winograd_avx2, kAvx2Floats, "fp32 Winograd AVX2"};
constexpr WinogradKernel kAvx512 = {convolve_winograd_avx512, kAvx512Floats,
                                    "fp32 Winograd AVX-512"};

struct WinogradLayer {
  int in, out;
  Floats weights, bias;

  WinogradLayer(const Tensor& weight, const std::vector<float>& biases)
      : in(int(weight.shape[1])),
        out(int(weight.shape[0])),
        weights(std::size_t(in) * std::size_t(out * kWinogradPoints)),
        bias(biases.size()) {
    std::ranges::copy(biases, bias.data());
    for (int o = 0; o < out; ++o)
      for (int i = 0; i < in; ++i) {
        const auto values = transformed(&weight.values[std::size_t((o * in + i) * 9)]);
        for (int p = 0; p < kWinogradPoints; ++p)
          weights.data()[at(o, i, p)] = float(values[std::size_t(p)]);
      }
  }
  std::ptrdiff_t at(int o, int i, int point) const {
    const int group = o / kWinogradLanes * kWinogradPoints + point;
    return (std::ptrdiff_t(group) * in + i) * kWinogradLanes + o % kWinogradLanes;
  }
};

// For each tile the 4 x 4 cells that it sees; the inner four are its own.
std::vector<int> cells_seen(const NetShape& shape) {
  std::vector<int> cells;
  for (int top = -1; top + 1 < shape.rows; top += 2)
    for (int left = -1; left + 1 < shape.cols; left += 2)
      for (int row = top; row < top + 4; ++row)
        for (int col = left; col < left + 4; ++col) {
          const bool inside = row >= 0 && row < shape.rows && col >= 0 && col < shape.cols;
          cells.push_back(inside ? row * shape.cols + col : -1);
        }
  return cells;
}

constexpr std::size_t kCacheBytes = 256 << 10;  // for transformed inputs: half a usual L2
constexpr int kMostRows = 16;

int rows_for(const Net& net, int tiles) {
  const auto row = sizeof(float) * std::size_t(kWinogradPoints * tiles * net.config.channels);
  return std::clamp(int(kCacheBytes / row), 1, kMostRows);
}

class WinogradTower : public Tower {
 public:
  WinogradTower(const Net& net, const WinogradKernel& kernel)
      : kernel_(kernel),
        shape_(net.shape),
        config_(net.config),
        seen_(cells_seen(shape_)),
        tiles_(int(seen_.size()) / kWinogradPoints),
        most_rows_(rows_for(net, tiles_)),
        in_stride_(round_up(shape_.planes, kernel_.floats)),
        inputs_stride_(std::ptrdiff_t(most_rows_) * tiles_ *
                           std::max(config_.channels, in_stride_) +
                       kWinogradLanes),
        sums_stride_((std::ptrdiff_t(most_rows_) * tiles_ + 1) * kWinogradLanes),
        zeros_(std::size_t(std::max(config_.channels, in_stride_))),
        planes_(activations(in_stride_)),
        block_(activations(config_.channels)),
        first_(activations(config_.channels)),
        second_(activations(config_.pooling == Pooling::none ? 0 : config_.channels)),
        inputs_(std::size_t(inputs_stride_) * kWinogradPoints),
        sums_(std::size_t(sums_stride_) * kWinogradPoints),
        policy_(linear_of(net, "policy.conv")),
        value_(linear_of(net, "value.conv")) {
    add_layers(net);
    if (config_.pooling == Pooling::none) return;
    pooled_.resize(std::size_t(2 * most_rows_ * config_.channels));
    factors_.resize(std::size_t(most_rows_ * config_.channels));
  }

  int most_rows() const override { return most_rows_; }
  std::string name() const override { return kernel_.name; }

  void run(int rows, const float* planes, const Features& out) override {
    assert(rows > 0 && rows <= most_rows_);
    copy_in(rows, planes);
    convolve(rows, layers_.front(), planes_, block_, nullptr, true);
    const bool pools = config_.pooling != Pooling::none;
    for (int i = 0; i < config_.blocks; ++i) {
      convolve(rows, layers_[std::size_t(1 + 2 * i)], block_, first_, nullptr, true);
      convolve(rows, layers_[std::size_t(2 + 2 * i)], first_, pools ? second_ : block_,
               pools ? nullptr : &block_, !pools);
      if (pools) pool(rows, pooling_[std::size_t(i)]);
    }
    const int cells = rows * shape_.cells(), from = config_.channels, to = config_.head_channels;
    policy_.run(cells, block_.data(), from, out.policy, to, true);
    value_.run(cells, block_.data(), from, out.value, to, true);
  }

 private:
  Floats activations(int channels) const {
    return Floats(std::size_t(most_rows_ * shape_.cells()) * std::size_t(channels));
  }

  void add_layers(const Net& net) {
    const auto add = [&](const std::string& name) {
      layers_.emplace_back(net.weights.at(name + ".weight"), net[name + ".bias"]);
    };
    add("input");
    for (int i = 0; i < config_.blocks; ++i) {
      const std::string block = "block." + std::to_string(i) + ".";
      add(block + "first");
      add(block + "second");
      if (config_.pooling != Pooling::none) pooling_.emplace_back(net, i);
    }
  }

  void convolve(int rows, const WinogradLayer& layer, const Floats& in, Floats& out,
                const Floats* residual, bool relu) {
    kernel_.convolve({.in = in.data(),
                      .out = out.data(),
                      .residual = residual ? residual->data() : nullptr,
                      .weights = layer.weights.data(),
                      .bias = layer.bias.data(),
                      .seen = seen_.data(),
                      .zeros = zeros_.data(),
                      .inputs = inputs_.data(),
                      .sums = sums_.data(),
                      .inputs_stride = inputs_stride_,
                      .sums_stride = sums_stride_,
                      .boards = rows,
                      .tiles = tiles_,
                      .cells = shape_.cells(),
                      .in_stride = round_up(layer.in, kernel_.floats),
                      .in_channels = layer.in,
                      .out_channels = layer.out,
                      .relu = relu});
  }

  void copy_in(int rows, const float* planes) {
    float* to = planes_.data();
    for (int row = 0; row < rows; ++row, planes += shape_.plane_floats())
      for (int cell = 0; cell < shape_.cells(); ++cell, to += in_stride_)
        for (int p = 0; p < shape_.planes; ++p) to[p] = planes[p * shape_.cells() + cell];
  }

  void pool(int rows, BlockPooling& pooling) {
    const bool squeeze = config_.pooling == Pooling::squeeze;
    const int channels = config_.channels, board = shape_.cells() * channels;
    const float* from = squeeze ? second_.data() : first_.data();
    for (int row = 0; row < rows; ++row) {
      float* means = &pooled_[std::size_t(row * channels * (squeeze ? 1 : 2))];
      summarise(from + std::ptrdiff_t(row) * board, means, squeeze ? nullptr : means + channels);
    }
    pooling.run(rows, pooled_.data(), factors_.data());
    float* block = block_.data();
    const float* second = second_.data();
    for (int row = 0; row < rows; ++row)
      for (int cell = 0; cell < shape_.cells(); ++cell, block += channels, second += channels) {
        const float* factors = &factors_[std::size_t(row * channels)];
        for (int c = 0; c < channels; ++c) {
          const float sum = block[c] + (squeeze ? factors[c] * second[c] : factors[c] + second[c]);
          block[c] = sum < 0 ? 0 : sum;
        }
      }
  }

  // Means, and maxima if wanted, of every channel over one board.
  void summarise(const float* values, float* means, float* maxima) const {
    const int channels = config_.channels;
    std::fill_n(means, channels, 0.f);
    if (maxima) std::fill_n(maxima, channels, -std::numeric_limits<float>::infinity());
    for (int cell = 0; cell < shape_.cells(); ++cell, values += channels)
      for (int c = 0; c < channels; ++c) {
        means[c] += values[c];
        if (maxima) maxima[c] = std::max(maxima[c], values[c]);
      }
    for (int c = 0; c < channels; ++c) means[c] /= float(shape_.cells());
  }

  WinogradKernel kernel_;
  NetShape shape_;
  NetConfig config_;
  std::vector<int> seen_;
  int tiles_, most_rows_, in_stride_;
  // A cache line beyond a power of two, or all points of a tile would share a cache's few places.
  std::ptrdiff_t inputs_stride_, sums_stride_;
  Floats zeros_, planes_, block_, first_, second_, inputs_, sums_;
  Linear policy_, value_;
  std::vector<WinogradLayer> layers_;  // input, two a block
  std::vector<BlockPooling> pooling_;
  std::vector<float> pooled_, factors_;
};

}  // namespace

bool winograd_usable(const NetShape& shape) { return shape.kernel() == 3 && avx2_usable(); }

// Where it saves multiplications: oneDNN skips those with cells outside the board, so 3 x 3 boards
// are its own.
bool winograd_is_faster(const NetShape& shape) {
  const int tiles = (shape.rows + 1) / 2 * ((shape.cols + 1) / 2);
  const int taps = (3 * shape.rows - 2) * (3 * shape.cols - 2);
  return winograd_usable(shape) && kWinogradPoints * tiles < taps;
}

std::unique_ptr<Tower> winograd_tower(const Net& net, bool avx512) {
  return std::make_unique<WinogradTower>(net, avx512 ? kAvx512 : kAvx2);
}

}  // namespace tabula
