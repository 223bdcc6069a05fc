#include "core/truth/judged.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tabula {

Judged judged(const State& state, ExactSolver& solver) {
  const auto for_mover = [&](int value) { return state.turn() == 0 ? value : -value; };
  Judged position{state, for_mover(solver.value(state)), {}};
  for (Action action : state.legal()) {
    State next = state;
    next.apply(action);
    position.keeps.push_back(for_mover(solver.value(next)) == position.value);
  }
  return position;
}

Score score_of(std::span<const Judged> positions, std::span<const std::size_t> choices) {
  assert(positions.size() == choices.size());
  Score score{.positions = positions.size()};
  for (std::size_t i = 0; i < positions.size(); ++i) {
    score.not_lost += positions[i].value >= 0;
    score.thrown += !positions[i].keeps[choices[i]];
  }
  return score;
}

double thrown_at_random(std::span<const Judged> positions) {
  double thrown = 0;
  for (const Judged& position : positions)
    thrown += double(std::ranges::count(position.keeps, false)) / double(position.keeps.size());
  return thrown;
}

Interval share_interval(double hits, double tries) {
  if (tries <= 0) return {};
  constexpr double z = 1.959963985;
  const double share = hits / tries, scale = 1 + z * z / tries;
  const double middle = (share + z * z / (2 * tries)) / scale;
  const double reach =
      z / scale * std::sqrt(share * (1 - share) / tries + z * z / (4 * tries * tries));
  return {hits > 0 ? middle - reach : 0, hits < tries ? middle + reach : 1};
}

}  // namespace tabula
