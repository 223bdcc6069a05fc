#pragma once
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "core/loop/learner.h"
#include "core/wire/follower.h"

namespace tabula {

// Follows the store's log into the learner's window, on a thread of its own.
class LogReader {
 public:
  // Up to the number `paced` it reads no faster than the learner learns: so that a training from
  // the start uses all games, not only those that are in the window at the end.
  LogReader(const std::string& address, const std::optional<ClientKeys>& keys, Learner& learner,
            std::uint64_t paced);
  ~LogReader();

  void check();  // throws what made it stop
  bool store_is_away() const { return silent_ms_ > kAwayMs; }

 private:
  static constexpr std::int64_t kAwayMs = 40000;  // a read waits up to 30 s in the store
  void work(const std::stop_token& ended);

  Follower follower_;
  Learner& learner_;
  std::uint64_t paced_;
  std::atomic<std::int64_t> silent_ms_ = 0;
  std::mutex mutex_;
  std::exception_ptr failure_;
  std::jthread thread_;
};

}  // namespace tabula
