#pragma once
#include <cstdint>
#include <vector>

#include "bench/store.h"

namespace tabula {

struct LargeStore {
  std::uint64_t positions = 0, log_bytes = 0;
  std::vector<double> open_ms, large_rate, empty_rate;
};

// Fills a database in another process, which is killed while its log is long; then opens it, from a
// cold cache, and appends to it in turn with an empty one.
LargeStore measure_large_store(const Rules& rules, const StoreBench& config);

}  // namespace tabula
