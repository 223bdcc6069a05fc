#pragma once
#include <cmath>
#include <vector>

#include "bench/positions.h"
#include "core/base/rng.h"
#include "core/nn/net.h"

namespace tabula {

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
