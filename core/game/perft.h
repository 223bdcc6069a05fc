#pragma once
#include <cstdint>

#include "core/game/state.h"

namespace tabula {

struct Perft {
  std::uint64_t sequences = 0;  // of exactly the asked number of plies
  std::uint64_t ended = 0;      // games that were over earlier
};

// Counts move sequences below a position; a pass and a roll of the dice are plies.
Perft perft(const State& state, int depth);

}  // namespace tabula
