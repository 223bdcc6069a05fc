// Any players, each against each, rated together.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "core/arena/player.h"
#include "core/arena/rating.h"
#include "core/arena/sprt.h"

namespace tabula {

struct TournamentConfig {
  int pairs = 50;          // of each two players, while there are openings
  int opening_plies = -1;  // -1: as few as give every pair its own opening
  float temperature = 0;
  int games_at_once = 32;
  std::uint64_t seed = 1;
};

// What two players came to, by pairs of games with the same opening and dice.
struct Meeting {
  std::size_t a = 0, b = 0;
  PairCounts counts;  // by a's half points
};

struct Tournament {
  std::vector<Rating> ratings;  // of the players, in their order
  std::vector<Meeting> meetings;
  std::vector<RatedGame> games;
  int pairs = 0, opening_plies = 0;  // of each two players
};

// `progress` is called again and again with how many pairs are finished, of how many; false ends
// it.
using Progress = std::function<bool(std::size_t finished, std::size_t of)>;
Tournament play_tournament(const Rules& rules, std::span<Player> players,
                           const TournamentConfig& config, const Progress& progress = {});

}  // namespace tabula
