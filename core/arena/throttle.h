#pragma once
#include <cstdint>

namespace tabula {

// Keeps this process's use of the processors at a share of them, by sleeping. One thread.
class Throttle {
 public:
  // 1: no limit.
  Throttle(double share, int cores) : rate_(share * cores), unlimited_(share >= 1) {}
  void pause();  // called every few milliseconds of work; sleeps a second at most

 private:
  double rate_;  // seconds of processor time a second
  bool unlimited_;
  double owed_ = 0;  // seconds of processor time that were used ahead of time
  double last_used_ = -1, last_time_ = 0;
};

}  // namespace tabula
