#pragma once
#include <vector>

#include "core/nn/net.h"

namespace tabula {

struct TrainingBench {
  std::vector<NetConfig> nets;
  std::vector<int> batches;
  int threads = 1;  // of LibTorch
  int ranks = 1;    // trainers that step together; more than one: compared with one
  int repeats = 5;
  int milliseconds = 2000;  // for each
  bool json = false;
};

// Training steps on positions that are replayed from random games, as a trainer's are.
void bench_training(const Rules& rules, const TrainingBench& config);
// The same batch by one trainer, and by several with their parts of it, one thread each, in turn.
void bench_ranks(const Rules& rules, const TrainingBench& config);

}  // namespace tabula
