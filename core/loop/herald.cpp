#include "core/loop/herald.h"

#include "core/base/memory.h"

namespace tabula {
namespace {

constexpr auto kPause = std::chrono::seconds(5);
constexpr std::int64_t kPatienceMs = 2000;

}  // namespace

Herald::Herald(const std::string& address, const std::optional<ClientKeys>& keys,
               std::string program, std::string worker)
    : store_(address, keys),
      beat_{std::move(program), std::move(worker), {}},
      thread_([this](const std::stop_token& ended) { work(ended); }) {}

Herald::~Herald() {
  thread_.request_stop();
  store_.wake();
}

void Herald::say(std::vector<Beat::Figure> figures) {
  const std::lock_guard lock(mutex_);
  beat_.figures = std::move(figures);
}

void Herald::work(const std::stop_token& ended) {
  std::unique_lock lock(mutex_);
  while (!ended.stop_requested()) {
    Beat beat = beat_;
    lock.unlock();
    beat.figures.push_back({"memory", resident_megabytes()});
    try {
      store_.ask<Done>(beat, kPatienceMs);
    } catch (const Error&) {  // whoever needs an answer from the store says so
    }
    lock.lock();
    changed_.wait_for(lock, ended, kPause, [] { return false; });
  }
}

}  // namespace tabula
