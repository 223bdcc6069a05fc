#pragma once
#include <cstdint>
#include <vector>

#include "core/game/state.h"

namespace tabula {

// Different positions in which a player moves, each from a random game of its own, at any ply from
// `first_ply` on. Throws Error if so many are not found.
std::vector<State> sample_positions(const Rules& rules, std::size_t count, std::uint64_t seed,
                                    int first_ply = 0);

}  // namespace tabula
