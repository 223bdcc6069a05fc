#pragma once
#include <algorithm>
#include <vector>

namespace tabula {

// How many threads a trainer takes: one more while it never waits and is behind all the same, one
// fewer when the others would do its work. So the cores are divided by how often each position is
// to be used. Threads that wait for each other may bring next to nothing, and the core that one
// takes is lost for self-play: what is not worth it is given back, and tried again ever more
// rarely.
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
    if (threads_ > least_ && speed > 0 && !worth_it(speed))
      give_back();
    else if (behind && waited < kNever)
      take_one();
    else if (threads_ > least_ && fewer_would_do(waited, speed))
      --threads_;
    return threads_;
  }

 private:
  // Of what one more could bring at best, it must bring this share.
  bool worth_it(double speed) const {
    return speed >= (1 + kWorth / (threads_ - 1)) * speeds_[std::size_t(threads_) - 1];
  }
  bool fewer_would_do(double waited, double speed) const {
    const double fewer = speeds_[std::size_t(threads_) - 1];
    if (speed > 0 && fewer > 0) return (1 - waited) * speed < (1 - kSlack) * fewer;
    return waited > 1.0 / threads_ + kSlack;
  }
  void give_back() {
    --threads_;
    rest_ = kRest << failures_;
    failures_ = std::min(failures_ + 1, kMostDoublings);
    std::fill_n(speeds_.begin(), threads_, 0);  // of another time: they say nothing of now
  }
  void take_one() {
    if (rest_ > 0 || threads_ == most_) return;
    ++threads_;
  }

  static constexpr double kNever = 0.02, kSlack = 0.1, kWorth = 0.4;
  static constexpr int kRest = 12, kMostDoublings = 4;  // reports
  int least_, most_, threads_, rest_ = 0, failures_ = 0;
  std::vector<double> speeds_;  // by the number of threads, when it was last so
};

}  // namespace tabula
