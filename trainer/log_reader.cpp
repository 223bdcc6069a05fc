#include "trainer/log_reader.h"

#include "core/base/log.h"

namespace tabula {
namespace {

constexpr std::int64_t kWaitMs = 1000;

}  // namespace

LogReader::LogReader(const std::string& address, const std::optional<ClientKeys>& keys,
                     Learner& learner)
    : follower_(address, keys, learner.read_after()),
      learner_(learner),
      thread_([this](const std::stop_token& ended) { work(ended); }) {}

LogReader::~LogReader() {
  thread_.request_stop();
  follower_.wake();
}

void LogReader::check() {
  const std::lock_guard lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
}

void LogReader::work(const std::stop_token& ended) try {
  while (!ended.stop_requested()) {
    const std::optional<LogPage> page = follower_.next(kWaitMs);
    silent_ms_ = follower_.silent_ms();
    if (!page) continue;
    if (page->missed > 0)
      log("games had left the store before they were read",
          {{"games", std::to_string(page->missed)}});
    learner_.add(*page);
  }
} catch (...) {
  const std::lock_guard lock(mutex_);
  failure_ = std::current_exception();
}

}  // namespace tabula
