#pragma once
#include <vector>

#include "core/game/state.h"

namespace tabula {

// Positions of random games in which a player moves.
std::vector<State> random_positions(const Rules& rules, int count, std::uint64_t seed);
// Side by side, as an Engine takes them.
std::vector<float> planes_of(const std::vector<State>& positions);

}  // namespace tabula
