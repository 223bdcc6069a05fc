#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "core/game/state.h"

namespace tabula {

// Knows what positions of a game without dice are worth, by looking at everything that can follow.
// Remembers what it has seen: positions are states and their plies, because the engine ends a game
// at its limit of plies. Not thread-safe.
class ExactSolver {
 public:
  static constexpr std::size_t kDefaultLimit = 3'000'000;  // some hundred bytes each
  explicit ExactSolver(std::size_t limit = kDefaultLimit) : limit_(limit) {}

  // +1, 0 or -1, for player 0. Throws Error if the game has dice, or more positions than the limit.
  int value(const State& state);

  std::size_t positions() const { return values_.size(); }  // known by now

 private:
  std::optional<int> known(const State& state) const;
  std::size_t limit_;
  std::unordered_map<std::string, std::int8_t> values_;
};

}  // namespace tabula
