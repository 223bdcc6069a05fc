#include "core/nn/net.h"

#include <charconv>
#include <cmath>

#include "core/base/error.h"
#include "core/base/joined.h"
#include "core/base/rng.h"

namespace tabula {
namespace {

constexpr const char* kPooling[] = {"none", "squeeze", "global"};

int at_least(int value, int least) { return value < least ? least : value; }

void check_range(const char* what, int value, int least, int most) {
  if (value < least || value > most)
    throw Error("a network's " + std::string(what) + " must be " + std::to_string(least) + " to " +
                std::to_string(most) + ", not " + std::to_string(value) + ".");
}

class Parameters {
 public:
  Parameters(const NetShape& shape, const NetConfig& config)
      : shape_(shape), config_(config.checked()) {}

  std::vector<Parameter> list() {
    const int c = config_.channels;
    convolution("input", shape_.planes, c, shape_.kernel(), kRelu);
    for (int i = 0; i < config_.blocks; ++i) block("block." + std::to_string(i) + ".");
    convolution("policy.conv", c, config_.head_channels, 1, kRelu);
    moves("policy");
    moves("reply");
    convolution("value.conv", c, config_.head_channels, 1, kRelu);
    linear("value.hidden", config_.head_channels * shape_.cells(), config_.hidden, kRelu);
    linear("value.wdl", config_.hidden, 3, kSmall);
    linear("value.moves", config_.hidden, 1, kSmall);
    return std::move(all_);
  }

 private:
  static constexpr float kRelu = 1.41421356f, kSmall = 0.1f, kZero = 0;

  // A block begins as the identity (second is zero), so a deep tower without normalisation trains.
  void block(const std::string& name) {
    const int c = config_.channels;
    convolution(name + "first", c, c, shape_.kernel(), kRelu);
    convolution(name + "second", c, c, shape_.kernel(), kZero);
    if (config_.pooling == Pooling::squeeze) {
      linear(name + "squeeze", c, config_.squeezed(), kRelu);
      linear(name + "excite", config_.squeezed(), c, kSmall);
    }
    if (config_.pooling == Pooling::global) linear(name + "pool", 2 * c, c, kZero);
  }
  void moves(const std::string& head) {
    const int p = config_.head_channels;
    if (shape_.action_planes == 0)
      return linear(head + ".out", p * shape_.cells(), shape_.actions, kSmall);
    convolution(head + ".out", p, shape_.action_planes, 1, kSmall);
    if (shape_.extras() > 0) linear(head + ".extra", p, shape_.extras(), kSmall);
  }
  void convolution(const std::string& name, int in, int out, int kernel, float gain) {
    add(name, {out, in, kernel, kernel}, in * kernel * kernel, gain);
  }
  void linear(const std::string& name, int in, int out, float gain) {
    add(name, {out, in}, in, gain);
  }
  void add(const std::string& name, std::vector<std::int64_t> shape, int fan_in, float gain) {
    const std::int64_t out = shape[0];
    all_.push_back({name + ".weight", std::move(shape), fan_in, gain});
    all_.push_back({name + ".bias", {out}, 1, 0});
  }

  NetShape shape_;
  NetConfig config_;
  std::vector<Parameter> all_;
};

}  // namespace

NetShape NetShape::of(const Rules& rules) {
  const tabula_game& t = rules.table();
  return {t.planes, t.rows, t.cols, t.actions, t.action_planes};
}

NetConfig NetConfig::checked() const {
  NetConfig full = *this;
  if (full.head_channels == 0) full.head_channels = at_least(channels / 4, 8);
  if (full.hidden == 0) full.hidden = channels;
  check_range("blocks", full.blocks, 1, 64);
  check_range("channels", full.channels, 32, 1024);
  check_range("head channels", full.head_channels, 8, 256);
  check_range("hidden units", full.hidden, 8, 4096);
  if (channels % 32 != 0)
    throw Error("a network's channels must be a multiple of 32, not " + std::to_string(channels) +
                ".");
  if (full.head_channels % 8 != 0 || full.hidden % 8 != 0)
    throw Error("a network's head channels and hidden units must be multiples of 8.");
  return full;
}

const std::vector<std::pair<std::string, NetConfig>>& net_presets() {
  static const std::vector<std::pair<std::string, NetConfig>> presets = {
      {"tiny", {.blocks = 4, .channels = 32}},
      {"small", {.blocks = 5, .channels = 64}},
      {"medium", {.blocks = 10, .channels = 128, .pooling = Pooling::squeeze}},
      {"large", {.blocks = 20, .channels = 256, .pooling = Pooling::squeeze}},
  };
  return presets;
}

NetConfig parse_net_config(std::string_view text) {
  for (const auto& [name, config] : net_presets())
    if (name == text) return config;
  NetConfig config;
  const char *at = text.data(), *end = at + text.size();
  auto blocks = std::from_chars(at, end, config.blocks);
  if (blocks.ec == std::errc() && blocks.ptr != end && *blocks.ptr == 'x') {
    const auto channels = std::from_chars(blocks.ptr + 1, end, config.channels);
    const std::string_view rest(channels.ptr, std::size_t(end - channels.ptr));
    if (channels.ec == std::errc())
      for (int i = 0; i < 3; ++i)
        if (rest == (i == 0 ? "" : std::string("+") + kPooling[i])) {
          config.pooling = Pooling(i);
          config.checked();
          return config;
        }
  }
  throw Error("'" + std::string(text) +
              "' is no network; say tiny, small, medium, large, or for example 5x64, 5x64+squeeze "
              "or 5x64+global.");
}

std::string to_text(const NetConfig& config) {
  std::string text = std::to_string(config.blocks) + "x" + std::to_string(config.channels);
  if (config.pooling != Pooling::none) text += std::string("+") + kPooling[int(config.pooling)];
  return text;
}

std::int64_t Parameter::size() const {
  std::int64_t size = 1;
  for (std::int64_t extent : shape) size *= extent;
  return size;
}

std::vector<Parameter> parameters_of(const NetShape& shape, const NetConfig& config) {
  return Parameters(shape, config).list();
}

NetCost cost_of(const NetShape& shape, const NetConfig& config) {
  NetCost cost;
  for (const Parameter& parameter : parameters_of(shape, config)) {
    if (parameter.name.starts_with("reply.")) continue;
    cost.parameters += parameter.size();
    const bool everywhere = parameter.shape.size() == 4;  // a convolution
    if (parameter.shape.size() > 1)
      cost.flops += 2 * parameter.size() * (everywhere ? shape.cells() : 1);
  }
  return cost;
}

Net new_net(const Rules& rules, const NetConfig& config, std::uint64_t seed) {
  Net net{rules.name(), rules.fingerprints(), NetShape::of(rules), config.checked(), {}, {}};
  Rng rng(seed);
  for (const Parameter& parameter : parameters_of(net.shape, net.config)) {
    Tensor tensor{parameter.shape, std::vector<float>(std::size_t(parameter.size()))};
    const float bound = parameter.gain * std::sqrt(3.f / float(parameter.fan_in));
    if (bound > 0)
      for (float& value : tensor.values) value = (2 * rng.uniform() - 1) * bound;
    net.weights.emplace(parameter.name, std::move(tensor));
  }
  return net;
}

}  // namespace tabula
