#include "core/arena/throttle.h"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace tabula {
namespace {

double seconds_of(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

constexpr double kMostSaved = 0.5;  // seconds of processor time that idling earns

}  // namespace

void Throttle::pause() {
  if (unlimited_) return;
  const double used = seconds_of(CLOCK_PROCESS_CPUTIME_ID), time = seconds_of(CLOCK_MONOTONIC);
  if (last_used_ >= 0)
    owed_ = std::max(-kMostSaved * rate_, owed_ + used - last_used_ - rate_ * (time - last_time_));
  last_used_ = used;
  last_time_ = time;
  if (owed_ > 0.001)
    std::this_thread::sleep_for(std::chrono::duration<double>(std::min(1.0, owed_ / rate_)));
}

}  // namespace tabula
