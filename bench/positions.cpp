#include "bench/positions.h"

#include "core/game/playout.h"

namespace tabula {

std::vector<float> random_planes(const Rules& rules, int positions, std::uint64_t seed) {
  const auto width = std::size_t(rules.plane_floats());
  std::vector<float> planes(std::size_t(positions) * width);
  Rng rng(seed);
  Playout playout(rules);
  for (std::size_t at = 0; at < planes.size();)
    for (State state(rules); !state.over() && at < planes.size();
         state.apply(playout.draw(state, rng))) {
      if (state.at_chance() || rng.below(3) != 0) continue;
      state.encode(std::span(planes).subspan(at, width));
      at += width;
    }
  return planes;
}

}  // namespace tabula
