#pragma once
#include <string>
#include <vector>

#include "bench/machine.h"
#include "core/game/rules.h"

namespace tabula {

struct GamesBench {
  int repeats = 7;
  int milliseconds = 60;  // for each side of each repeat
  bool json = false;
};

// Random playouts of shipped games through the plugin boundary and by direct calls, alternating.
// Prints a table as it goes, or JSON at the end.
void bench_games(const std::vector<RulesPtr>& games, const GamesBench& config);

}  // namespace tabula
