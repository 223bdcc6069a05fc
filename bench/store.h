#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "core/game/rules.h"

namespace tabula {

struct StoreBench {
  int workers = 32;
  int queued = 64;  // games that each worker has on the way: at least 4
  int repeats = 5;
  int milliseconds = 2000;  // for each side of an alternation
  std::uint64_t large =
      0;  // positions of the database that is opened after a kill; 0: not measured
  std::filesystem::path folder;  // on the disk that is measured
  bool json = false;
};

// Games from workers to the disk and from there to a trainer: the whole path, over real sockets.
void bench_store(const std::vector<RulesPtr>& games, const StoreBench& config);

}  // namespace tabula
