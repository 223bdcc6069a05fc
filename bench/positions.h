#pragma once
#include <cstdint>
#include <vector>

#include "core/game/rules.h"

namespace tabula {

// Planes of positions of random games, side by side, as an Engine takes them.
std::vector<float> random_planes(const Rules& rules, int positions, std::uint64_t seed);

}  // namespace tabula
