#pragma once
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tabula {

// Runs `work(0)` to `work(threads - 1)` at once, one of them on this thread, and returns when all
// have ended. Throws what was thrown first.
inline void work_together(int threads, const std::function<void(int)>& work) {
  std::mutex mutex;
  std::exception_ptr thrown;
  const auto guarded = [&](int number) {
    try {
      work(number);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!thrown) thrown = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (int number = 1; number < threads; ++number)
      others.emplace_back([&guarded, number] { guarded(number); });
    guarded(0);
  }
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace tabula
