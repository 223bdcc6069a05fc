#pragma once
#include <vector>

#include "core/nn/engine.h"

namespace tabula {

struct InferenceBench {
  std::vector<NetConfig> nets;
  std::vector<int> batches;
  Kernel kernel = Kernel::automatic;  // automatic: every one that is fast here
  int repeats = 7;
  int milliseconds = 200;  // for each side of each repeat
  bool json = false;
};

// Our engine's kernels and LibTorch's two modes in turn, one thread each, on positions of random
// games.
void bench_inference(const std::vector<RulesPtr>& games, const InferenceBench& config);

}  // namespace tabula
