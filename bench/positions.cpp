#include "bench/positions.h"

#include "core/base/rng.h"
#include "core/game/playout.h"

namespace tabula {

std::vector<State> random_positions(const Rules& rules, int count, std::uint64_t seed) {
  std::vector<State> positions;
  Rng rng(seed);
  Playout playout(rules);
  while (int(positions.size()) < count)
    for (State state(rules); !state.over() && int(positions.size()) < count;
         state.apply(playout.draw(state, rng)))
      if (!state.at_chance() && rng.below(3) == 0) positions.push_back(state);
  return positions;
}

std::vector<float> planes_of(const std::vector<State>& positions) {
  std::vector<float> planes;
  for (const State& state : positions) {
    std::vector<float> one(std::size_t(state.rules().plane_floats()));
    state.encode(one);
    planes.insert(planes.end(), one.begin(), one.end());
  }
  return planes;
}

}  // namespace tabula
