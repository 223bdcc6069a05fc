// What a network is: its shape, its parameters by name, and the file it lives in. No tensors are
// computed here, so this needs neither LibTorch nor oneDNN.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/safetensors.h"
#include "core/game/rules.h"

namespace tabula {

// What the game decides.
struct NetShape {
  int planes = 0, rows = 0, cols = 0, actions = 0, action_planes = 0;

  static NetShape of(const Rules& rules);
  int cells() const { return rows * cols; }
  int kernel() const { return cells() == 1 ? 1 : 3; }  // no grid: the tower is an MLP
  int plane_floats() const { return planes * cells(); }
  int extras() const { return actions - action_planes * cells(); }  // actions without a cell
  int outputs() const { return actions + 4; }  // of an Engine: policy, WDL, moves left
  bool operator==(const NetShape&) const = default;
};

// How a block sees the whole board at once: not at all, by squeeze-and-excitation (its channels are
// scaled by a function of their means), or by global pooling (they are shifted by a function of the
// means and maxima of its first half).
enum class Pooling { none, squeeze, global };

// What the user decides.
struct NetConfig {
  int blocks = 5, channels = 64;
  Pooling pooling = Pooling::none;
  int head_channels = 0;  // of each head; 0: a quarter of the channels
  int hidden = 0;         // of the value head; 0: as many as channels

  // Refuses numbers that are out of range; fills in zeros.
  NetConfig checked() const;
  int squeezed() const { return channels / 4; }
  bool operator==(const NetConfig&) const = default;
};

// "tiny", "small", "medium", "large", or BLOCKSxCHANNELS with an optional +squeeze or +global.
NetConfig parse_net_config(std::string_view text);
std::string to_text(const NetConfig& config);
const std::vector<std::pair<std::string, NetConfig>>& net_presets();

// A parameter begins uniform, with the variance gain^2 / fan_in.
struct Parameter {
  std::string name;
  std::vector<std::int64_t> shape;
  int fan_in = 1;
  float gain = 0;  // 0: begins at zero
  std::int64_t size() const;
};

// All parameters in a fixed order: the one description that files, training and engines follow.
//
//   input                 kernel x kernel, planes -> channels, ReLU
//   block.I.first         kernel x kernel, ReLU
//   block.I.second        kernel x kernel, + block's input, ReLU
//   block.I.squeeze, .excite   means -> squeezed(), ReLU -> channels, sigmoid: scale of second
//   block.I.pool               means and maxima of first -> channels: added to second
//   policy.conv, value.conv    1 x 1, channels -> head channels, ReLU
//   policy.out, reply.out      1 x 1 -> action planes; without a layout, all cells -> actions
//   policy.extra, reply.extra  means over the cells -> actions beyond the layout
//   value.hidden               all cells -> hidden, ReLU
//   value.wdl, value.moves     hidden -> 3 logits; -> log(1 + plies left)
// Each has a .weight and a .bias. Tensors of "all cells" run cell by cell, channels innermost.
std::vector<Parameter> parameters_of(const NetShape& shape, const NetConfig& config);

struct NetCost {
  std::int64_t parameters = 0;
  std::int64_t flops = 0;  // of one evaluation; a multiplication and an addition are two
};
NetCost cost_of(const NetShape& shape, const NetConfig& config);  // without the reply head

// A network with its weights, bound to a game.
struct Net {
  std::string game;
  Fingerprints fingerprints{};
  NetShape shape;
  NetConfig config;
  std::map<std::string, std::string> notes;  // step, parent and whatever else a run tells
  std::map<std::string, Tensor> weights;

  const std::vector<float>& operator[](const std::string& name) const {
    return weights.at(name).values;
  }
};

Net new_net(const Rules& rules, const NetConfig& config, std::uint64_t seed);

TensorFile to_tensor_file(const Net& net);
// Refuses a file that is no network or whose weights are not those that its shape asks for.
Net net_of(TensorFile file, std::string_view source);
Net load_net(const std::filesystem::path& file);
void save_net(const Net& net, const std::filesystem::path& file);
// Throws Error unless the network was made for these very rules and planes.
void check_made_for(const Net& net, const Rules& rules);

}  // namespace tabula
