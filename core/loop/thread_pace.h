#pragma once
#include <algorithm>
#include <vector>

namespace tabula {

// How many threads a trainer takes: one more while it never waits and is behind all the same, one
// fewer when the others would have done its work. So the cores are divided by how often each
// position is to be used. Where others compute, too, threads that wait for each other can be slower
// than fewer: then one is given back, and not tried again for a while.
class ThreadPace {
 public:
  ThreadPace(int least, int most)
      : least_(std::max(1, least)),
        most_(std::max(least_, most)),
        threads_(least_),
        speeds_(std::size_t(most_) + 1) {}
  int threads() const { return threads_; }

  // After some seconds in which it waited for this share of the time and else made so many steps a
  // second (0: none, so nobody knows).
  int next(double waited, bool behind, double speed) {
    if (speed > 0) speeds_[std::size_t(threads_)] = speed;
    rest_ = std::max(0, rest_ - 1);
    if (threads_ > least_ && speed > 0 && speed < speeds_[std::size_t(threads_) - 1]) {
      --threads_;
      rest_ = kRest;
    } else if (behind && waited < kNever) {
      if (rest_ == 0) threads_ = std::min(most_, threads_ + 1);
    } else if (waited > 1.0 / threads_ + kSlack) {
      threads_ = std::max(least_, threads_ - 1);
    }
    return threads_;
  }

 private:
  static constexpr double kNever = 0.02, kSlack = 0.1;
  static constexpr int kRest = 12;  // reports
  int least_, most_, threads_, rest_ = 0;
  std::vector<double> speeds_;  // by the number of threads, when it was last so
};

}  // namespace tabula
