// The tower in bf16, as tile convolutions over boards that lie one after another.
#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>

#include "core/nn/cpu/aligned_buffer.h"
#include "core/nn/cpu/pooling.h"
#include "core/nn/cpu/tile_convolution.h"
#include "core/nn/cpu/tower.h"

namespace tabula {
namespace {

constexpr int kMostRows = 64;

int round_up(int n, int to) { return (n + to - 1) / to * to; }

using Bf16Buffer = AlignedBuffer<Bf16>;

// Weights [out][in][tap] as tiles, channels padded to whole tiles.
struct TileLayer {
  int in, out;
  Bf16Buffer weights;
  std::vector<float> bias;

  TileLayer(int from, int to, int taps)
      : in(round_up(from, kTileIn)),
        out(round_up(to, kTileOut)),
        weights(std::size_t(in) * std::size_t(out * taps)),
        bias(std::size_t(out)) {}

  // Outputs beginning at `first`, so that two small layers can share one.
  void pack(const Tensor& weight, const std::vector<float>& biases, int first) {
    const auto outputs = int(weight.shape[0]), inputs = int(weight.shape[1]);
    const auto taps = int(weight.shape[2] * weight.shape[3]);
    for (int o = 0; o < outputs; ++o)
      for (int i = 0; i < inputs; ++i)
        for (int tap = 0; tap < taps; ++tap)
          weights.data()[at(first + o, i, tap, taps)] =
              to_bf16(weight.values[std::size_t((o * inputs + i) * taps + tap)]);
    std::ranges::copy(biases, bias.begin() + first);
  }
  std::size_t at(int o, int i, int tap, int taps) const {
    const int tile = (o / 16 * taps + tap) * (in / kTileIn) + i / kTileIn;
    return std::size_t(tile) * kTileWeights +
           std::size_t((i % kTileIn / 2 * 16 + o % 16) * 2 + i % 2);
  }
};

TileLayer layer_of(const Net& net, const std::string& name) {
  const Tensor& weight = net.weights.at(name + ".weight");
  TileLayer layer(int(weight.shape[1]), int(weight.shape[0]),
                  int(weight.shape[2] * weight.shape[3]));
  layer.pack(weight, net[name + ".bias"], 0);
  return layer;
}

class TileTower : public Tower {
 public:
  using Convolve = void (*)(const TileConvolution&);

  TileTower(const Net& net, Convolve convolve, std::string name)
      : shape_(net.shape),
        config_(net.config),
        convolve_(convolve),
        name_(std::move(name)),
        // A net without a grid has one cell and no neighbours, so no padding.
        stride_(shape_.kernel() == 1 ? 1 : shape_.cols + 1),
        board_(shape_.kernel() == 1 ? 1 : (shape_.rows + 1) * stride_),
        margin_(round_up(stride_ + 1, kTileCells)),
        most_cells_(
            round_up(kMostRows * board_ + (shape_.kernel() == 1 ? 0 : stride_), kTileCells)),
        input_(buffer(round_up(shape_.planes, kTileIn))),
        block_(buffer(config_.channels)),
        first_(buffer(config_.channels)),
        second_(buffer(config_.pooling == Pooling::none ? 0 : config_.channels)),
        head_(buffer(round_up(2 * config_.head_channels, kTileOut))),
        on_board_(std::size_t(most_cells_)) {
    add_layers(net);
    each_cell(kMostRows, [&](int, int, int at) { on_board_[std::size_t(at)] = 1; });
    if (shape_.kernel() == 1)
      taps_ = {0};
    else
      for (int row = -1; row <= 1; ++row)
        for (int col = -1; col <= 1; ++col) taps_.push_back(row * stride_ + col);
    pooled_.resize(std::size_t(2 * kMostRows * config_.channels));
    factors_.resize(std::size_t(kMostRows * config_.channels));
  }

  int most_rows() const override { return kMostRows; }
  std::string name() const override { return name_; }

  void run(int rows, const float* planes, const Features& out) override {
    assert(rows > 0 && rows <= kMostRows);
    copy_in(rows, planes);
    const int cells = round_up(rows * board_, kTileCells);
    run_layer(input_, block_, nullptr, layers_.front(), cells, true);
    const bool pools = config_.pooling != Pooling::none;
    for (int i = 0; i < config_.blocks; ++i) {
      run_layer(block_, first_, nullptr, layers_[std::size_t(1 + 2 * i)], cells, true);
      Bf16Buffer& to = pools ? second_ : block_;
      run_layer(first_, to, pools ? nullptr : &block_, layers_[std::size_t(2 + 2 * i)], cells,
                !pools);
      if (pools) pool(rows, pooling_[std::size_t(i)]);
    }
    run_heads(cells);
    copy_out(rows, out);
  }

 private:
  Bf16Buffer buffer(int channels) const {
    return Bf16Buffer(std::size_t(most_cells_ + 2 * margin_) * std::size_t(channels));
  }

  void add_layers(const Net& net) {
    layers_.push_back(layer_of(net, "input"));
    for (int i = 0; i < config_.blocks; ++i) {
      const std::string block = "block." + std::to_string(i) + ".";
      layers_.push_back(layer_of(net, block + "first"));
      layers_.push_back(layer_of(net, block + "second"));
      if (config_.pooling != Pooling::none) pooling_.emplace_back(net, i);
    }
    TileLayer& heads = layers_.emplace_back(config_.channels, 2 * config_.head_channels, 1);
    heads.pack(net.weights.at("policy.conv.weight"), net["policy.conv.bias"], 0);
    heads.pack(net.weights.at("value.conv.weight"), net["value.conv.bias"], config_.head_channels);
  }

  void run_layer(const Bf16Buffer& in, Bf16Buffer& out, const Bf16Buffer* residual,
                 const TileLayer& layer, int cells, bool relu) {
    convolve_({in.data() + margin_ * layer.in, out.data() + margin_ * layer.out,
               residual ? residual->data() + margin_ * layer.out : nullptr, layer.weights.data(),
               layer.bias.data(), taps_.data(), on_board_.data(), int(taps_.size()), layer.in,
               layer.out, cells, relu});
  }
  void run_heads(int cells) {
    static constexpr int kHere = 0;
    const TileLayer& layer = layers_.back();
    convolve_({block_.data() + margin_ * layer.in, head_.data() + margin_ * layer.out, nullptr,
               layer.weights.data(), layer.bias.data(), &kHere, on_board_.data(), 1, layer.in,
               layer.out, cells, true});
  }

  // visit(row, cell, where the cell lies)
  template <class Visit>
  void each_cell(int rows, const Visit& visit) const {
    const int top = shape_.kernel() == 1 ? 0 : 1;
    for (int row = 0; row < rows; ++row)
      for (int cell = 0; cell < shape_.cells(); ++cell)
        visit(row, cell, row * board_ + (cell / shape_.cols + top) * stride_ + cell % shape_.cols);
  }
  static Bf16* place(Bf16Buffer& buffer, int margin, int at, int channels) {
    return buffer.data() + (std::ptrdiff_t(margin) + at) * channels;
  }

  // Cells beyond the last board keep what earlier batches left there: off the board a layer writes
  // zeros, and no board looks further than the padding beside it. Only the input needs clearing.
  void copy_in(int rows, const float* planes) {
    const int channels = layers_.front().in, cells = shape_.cells();
    each_cell(rows, [&](int row, int cell, int at) {
      Bf16* to = place(input_, margin_, at, channels);
      for (int p = 0; p < shape_.planes; ++p)
        to[p] = to_bf16(planes[(row * shape_.planes + p) * cells + cell]);
    });
  }

  void copy_out(int rows, const Features& out) {
    const int channels = config_.head_channels;
    each_cell(rows, [&](int row, int cell, int at) {
      const Bf16* from = place(head_, margin_, at, layers_.back().out);
      const std::ptrdiff_t to = std::ptrdiff_t(row * shape_.cells() + cell) * channels;
      for (int c = 0; c < channels; ++c) {
        out.policy[to + c] = from_bf16(from[c]);
        out.value[to + c] = from_bf16(from[channels + c]);
      }
    });
  }

  void pool(int rows, BlockPooling& pooling) {
    const bool squeeze = config_.pooling == Pooling::squeeze;
    summarise(rows, squeeze ? second_ : first_, squeeze ? 1 : 2);
    pooling.run(rows, pooled_.data(), factors_.data());
    const int channels = config_.channels;
    each_cell(rows, [&](int row, int, int at) {
      Bf16* block = place(block_, margin_, at, channels);
      const Bf16* second = place(second_, margin_, at, channels);
      const float* factors = &factors_[std::size_t(row * channels)];
      for (int c = 0; c < channels; ++c) {
        const float x = from_bf16(second[c]);
        const float sum = from_bf16(block[c]) + (squeeze ? factors[c] * x : factors[c] + x);
        block[c] = to_bf16(sum < 0 ? 0 : sum);
      }
    });
  }

  // Means, and maxima if two are wanted, of every channel over a board.
  void summarise(int rows, Bf16Buffer& from, int kinds) {
    const int channels = config_.channels, width = kinds * channels;
    for (int row = 0; row < rows; ++row) {
      float* means = &pooled_[std::size_t(row * width)];
      std::fill_n(means, channels, 0.f);
      if (kinds == 2)
        std::fill_n(means + channels, channels, -std::numeric_limits<float>::infinity());
    }
    const float share = 1 / float(shape_.cells());
    each_cell(rows, [&](int row, int, int at) {
      const Bf16* values = place(from, margin_, at, channels);
      float* means = &pooled_[std::size_t(row * width)];
      for (int c = 0; c < channels; ++c) {
        const float x = from_bf16(values[c]);
        means[c] += x * share;
        if (kinds == 2) means[channels + c] = std::max(means[channels + c], x);
      }
    });
  }

  NetShape shape_;
  NetConfig config_;
  Convolve convolve_;
  std::string name_;
  int stride_, board_, margin_, most_cells_;
  std::vector<TileLayer> layers_;  // input, two a block, heads
  Bf16Buffer input_, block_, first_, second_, head_;
  std::vector<std::uint8_t> on_board_;
  std::vector<int> taps_;
  std::vector<BlockPooling> pooling_;
  std::vector<float> pooled_, factors_;
};

}  // namespace

std::unique_ptr<Tower> amx_tower(const Net& net) {
  return std::make_unique<TileTower>(net, convolve_amx, "bf16 AMX");
}

std::unique_ptr<Tower> plain_tile_tower(const Net& net) {
  return std::make_unique<TileTower>(net, convolve_plain, "bf16 plain");
}

}  // namespace tabula
