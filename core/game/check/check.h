#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "core/game/check/breach.h"
#include "core/game/check/trace.h"

namespace tabula {

struct CheckConfig {
  int playouts = 200;
  std::uint64_t seed = 1;
  int threads = 4;
};

// Plays at random and looks at every position. One breach at most for each law.
// Runs the game's code in this process: a game that is not trusted wants a child (front/).
std::vector<Breach> check_contract(const Rules& rules, const CheckConfig& config, Trace& trace);

// What random play tells about a game.
struct GameFacts {
  double playouts_per_second = 0, plies_per_second = 0;
  double mean_branching = 0, mean_length = 0;  // chance nodes do not count as branching
  int max_branching = 0, min_length = 0, max_length = 0;
  double first_player = 0, draws = 0;  // shares of the games
  int games = 0;
};

// Calls `alive` between games.
GameFacts measure_game(const Rules& rules, std::uint64_t seed, double seconds,
                       const std::function<void()>& alive);

}  // namespace tabula
