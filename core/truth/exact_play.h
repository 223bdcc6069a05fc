#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/truth/exact_solver.h"

namespace tabula {

// For each position the index of a move among the legal ones.
using Chooser = std::function<std::vector<std::size_t>(std::span<const State>)>;

struct ExactPlay {
  std::uint64_t lines = 0;  // different games
  std::uint64_t won = 0, lost = 0;
  bool operator==(const ExactPlay&) const = default;
};

// The opponent's: those that keep what the position is worth to it, or all that are legal.
enum class Replies { exact, any };

// A player in every game that there can be against an opponent who may choose any of its replies.
// `seat` is the player's, 0 or 1.
ExactPlay play_every_line(const Rules& rules, int seat, Replies replies, ExactSolver& solver,
                          const Chooser& player);

}  // namespace tabula
