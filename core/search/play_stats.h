#pragma once
#include <cstdint>

#include "core/search/record.h"

namespace tabula {

// What some games came to. `evaluations` and `descents` also count games still under way.
struct PlayStats {
  std::uint64_t games = 0, plies = 0;
  std::uint64_t full_searches = 0, cheap_searches = 0;
  std::uint64_t resigned = 0, adjudicated = 0;
  // Of the games in which a player would have given up and went on, how many it did not lose.
  std::uint64_t played_on = 0, played_on_saved = 0;
  std::uint64_t evaluations = 0, descents = 0;

  void add(const GameRecord& game);  // requires: it has ended
  PlayStats& operator+=(const PlayStats& other);
  bool operator==(const PlayStats&) const = default;
};

}  // namespace tabula
