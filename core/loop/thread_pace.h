#pragma once
#include <algorithm>

namespace tabula {

// How many threads a trainer takes: one more while it never waits and is behind all the same, one
// fewer when the others would have done its work. So the cores are divided by how often each
// position is to be used.
class ThreadPace {
 public:
  ThreadPace(int least, int most)
      : least_(std::max(1, least)), most_(std::max(least_, most)), threads_(least_) {}
  int threads() const { return threads_; }

  // After some seconds in which it waited for this share of the time.
  int next(double waited, bool behind) {
    if (behind && waited < kNever)
      threads_ = std::min(most_, threads_ + 1);
    else if (waited > 1.0 / threads_ + kSlack)
      threads_ = std::max(least_, threads_ - 1);
    return threads_;
  }

 private:
  static constexpr double kNever = 0.02, kSlack = 0.1;
  int least_, most_, threads_;
};

}  // namespace tabula
