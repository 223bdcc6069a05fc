#pragma once
#include <cstdint>
#include <vector>

#include "core/game/state.h"

namespace tabula {

struct Sample {
  State state;                // a player moves
  std::vector<Action> moves;  // that led there, dice included
};

// Different positions, each from a random game of its own, at any ply from `first_ply` on: so many,
// or all that a small game has. Throws Error if it has none.
std::vector<Sample> sample_positions(const Rules& rules, std::size_t count, std::uint64_t seed,
                                     int first_ply = 0);

}  // namespace tabula
