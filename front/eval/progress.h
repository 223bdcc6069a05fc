#pragma once
#include <string>

#include "core/base/clock.h"
#include "core/base/log.h"

namespace tabula {

// Says how far a long task is, every few seconds, on standard error. Not thread-safe.
class Progress {
 public:
  Progress(std::string what, std::size_t all) : what_(std::move(what)), all_(all) {}

  void at(std::size_t done) {
    if (clock_ms() < next_ms_ || done == all_) return;
    next_ms_ = clock_ms() + kEveryMs;
    log(what_, {{"done", std::to_string(done)}, {"of", std::to_string(all_)}});
  }

 private:
  static constexpr std::int64_t kEveryMs = 5000;
  std::string what_;
  std::size_t all_;
  std::int64_t next_ms_ = clock_ms() + kEveryMs;
};

}  // namespace tabula
