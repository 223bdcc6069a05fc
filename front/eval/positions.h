// Positions and what is known about them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/truth/judged.h"

namespace tabula {

struct Judging {
  int threads = 1;
  std::string cache;  // a file that keeps what the solver said; empty: none
};

// Connect Four: the position of each line "MOVES SCORE", as the public test sets have it. The
// score's sign is believed, the moves are judged by it. Throws Error with the number of a line that
// cannot be.
std::vector<Judged> positions_in_file(const Rules& rules, const std::string& file,
                                      const Judging& judging);

// Different positions of random games, judged by Connect Four's solver, or by looking at everything
// that can follow. `first_ply` below 0: from where on judging is quick.
std::vector<Judged> random_positions_of(const Rules& rules, std::size_t count, std::uint64_t seed,
                                        int first_ply, const Judging& judging);

}  // namespace tabula
