// Positions whose truth is known, and how well moves keep it.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "core/game/state.h"
#include "core/truth/exact_solver.h"

namespace tabula {

struct Judged {
  State state;              // a player moves
  int value = 0;            // +1, 0 or -1 for that player
  std::vector<bool> keeps;  // by legal move: its value is the position's
};

Judged judged(const State& state, ExactSolver& solver);

// In lost positions every move keeps the value, so they are also left out of the count.
struct Score {
  std::size_t positions = 0, not_lost = 0;
  std::size_t thrown = 0;  // moves that do not keep the value
  bool operator==(const Score&) const = default;
};

// requires: one choice, an index among the legal moves, for each position
Score score_of(std::span<const Judged> positions, std::span<const std::size_t> choices);

// How many a player that draws its moves at random throws away, on the mean.
double thrown_at_random(std::span<const Judged> positions);

struct Interval {
  double low = 0, high = 1;
};
// Where a share lies with 95 % confidence (Wilson, 1927), given `hits` of `tries`.
Interval share_interval(double hits, double tries);

}  // namespace tabula
