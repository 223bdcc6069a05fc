#include "core/service/writer.h"

namespace tabula {

Writer::Writer(Store& store, std::function<void()> wake)
    : store_(store), wake_(std::move(wake)), thread_([this] { work(); }) {}

Writer::~Writer() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Writer::post(Job job, Failed failed) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back({std::move(job), std::move(failed)});
  }
  changed_.notify_one();
}

Writer::Then Writer::run(const Task& task) {
  try {
    return task.job(store_);
  } catch (const FlushFailed&) {
    throw;
  } catch (const std::exception& error) {
    return [failed = task.failed, kept = std::current_exception()] {
      try {
        std::rethrow_exception(kept);
      } catch (const std::exception& again) {
        failed(again);
      }
    };
  }
}

void Writer::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return ending_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    const Task task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    Then then;
    std::exception_ptr broken;
    try {
      then = run(task);
    } catch (...) {
      broken = std::current_exception();
    }
    lock.lock();
    if (then) done_.push_back(std::move(then));
    if (broken) {
      broken_ = broken;
      tasks_.clear();
    }
    wake_();
    if (broken) return;
  }
}

void Writer::finish() {
  std::deque<Then> done;
  std::exception_ptr broken;
  {
    const std::lock_guard lock(mutex_);
    done.swap(done_);
    broken = broken_;
  }
  for (const Then& then : done) then();
  if (broken) std::rethrow_exception(broken);
}

std::size_t Writer::waiting() const {
  const std::lock_guard lock(mutex_);
  return tasks_.size();
}

}  // namespace tabula
