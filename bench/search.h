#pragma once
#include <vector>

#include "core/game/rules.h"
#include "core/search/config.h"

namespace tabula {

struct SearchBench {
  int repeats = 5;
  int milliseconds = 1000;  // for each repeat
  int games = 64;           // played together, in one thread
  SearchConfig search{.look_ahead = false};  // which would measure the rules
  bool json = false;
};

// The tree alone: whole games of self-play from random openings of four plies, with an evaluator
// that costs next to nothing, noise and proofs on, no look ahead, no reuse. Prints a table as it goes, or JSON at
// the end.
void bench_search(const std::vector<RulesPtr>& games, const SearchBench& config);

}  // namespace tabula
