#pragma once
#include <vector>

#include "core/nn/engine.h"
#include "core/search/config.h"

namespace tabula {

struct SelfPlayBench {
  std::vector<NetConfig> nets;
  Kernel kernel = Kernel::automatic;
  SearchConfig search;
  int opening_plies = 4;
  int games = 64;  // played together by each thread
  int threads = 2;
  int cache_megabytes = 256;
  int repeats = 5;
  int milliseconds = 1000;  // for each side of each repeat
  bool json = false;
};

// Whole self-play against its engine alone, with a cache against without, and several threads
// against one.
void bench_selfplay(const Rules& rules, const SelfPlayBench& config);

}  // namespace tabula
