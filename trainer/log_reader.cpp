#include "trainer/log_reader.h"

#include "core/base/log.h"

namespace tabula {
namespace {

constexpr std::int64_t kWaitMs = 1000;
constexpr auto kPause = std::chrono::milliseconds(20);

}  // namespace

LogReader::LogReader(const std::string& address, const std::optional<ClientKeys>& keys,
                     Learner& learner, std::uint64_t paced)
    : follower_(address, keys, learner.read_after()),
      learner_(learner),
      paced_(paced),
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
    while (follower_.cursor() < paced_ && learner_.is_ahead() && !ended.stop_requested())
      std::this_thread::sleep_for(kPause);
  }
} catch (...) {
  const std::lock_guard lock(mutex_);
  failure_ = std::current_exception();
}

}  // namespace tabula
