#pragma once
#include <vector>

#include "core/nn/net.h"

namespace tabula {

struct TrainingBench {
  std::vector<NetConfig> nets;
  std::vector<int> batches;
  int threads = 1;  // of LibTorch
  int repeats = 5;
  int milliseconds = 2000;  // for each
  bool json = false;
};

// Training steps on positions that are replayed from random games, as a trainer's are.
void bench_training(const Rules& rules, const TrainingBench& config);

}  // namespace tabula
