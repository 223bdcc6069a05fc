#pragma once
#include <cmath>
#include <vector>

#include "core/base/rng.h"
#include "core/game/playout.h"
#include "core/game/state.h"
#include "core/nn/net.h"

namespace tabula {

// Positions of random games in which a player moves.
inline std::vector<State> random_positions(const Rules& rules, int count, std::uint64_t seed) {
  std::vector<State> positions;
  Rng rng(seed);
  Playout playout(rules);
  while (int(positions.size()) < count)
    for (State state(rules); !state.over() && int(positions.size()) < count;
         state.apply(playout.draw(state, rng)))
      if (!state.at_chance() && rng.below(3) == 0) positions.push_back(state);
  return positions;
}

inline std::vector<float> planes_of(const std::vector<State>& positions) {
  std::vector<float> planes;
  for (const State& state : positions) {
    std::vector<float> one(std::size_t(state.rules().plane_floats()));
    state.encode(one);
    planes.insert(planes.end(), one.begin(), one.end());
  }
  return planes;
}

// A new network with every weight stirred, so that no layer is silent.
inline Net stirred_net(const Rules& rules, const NetConfig& config, std::uint64_t seed) {
  Net net = new_net(rules, config, seed);
  Rng rng(seed + 1);
  for (const Parameter& parameter : parameters_of(net.shape, net.config)) {
    // Blocks add up: in a deep tower each may add less.
    const bool adds = parameter.name.ends_with(".second.weight");
    const float share = adds ? 1 / std::sqrt(float(config.blocks)) : 1;
    const bool bias = parameter.name.ends_with(".bias");
    const float size = bias ? 0.1f : share / std::sqrt(float(parameter.fan_in));
    for (float& x : net.weights[parameter.name].values) x += (2 * rng.uniform() - 1) * size;
  }
  return net;
}

}  // namespace tabula
