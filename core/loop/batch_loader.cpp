#include "core/loop/batch_loader.h"

namespace tabula {

BatchLoader::BatchLoader(const Learner& learner, int threads, std::uint64_t first_step)
    : learner_(learner),
      ahead_(std::size_t(threads) + 1),
      next_fill_(first_step),
      next_take_(first_step) {
  for (int i = 0; i < threads; ++i)
    threads_.emplace_back([this](const std::stop_token& ended) { work(ended); });
}

BatchLoader::~BatchLoader() {
  for (std::jthread& thread : threads_) thread.request_stop();
}

void BatchLoader::work(const std::stop_token& ended) {
  ExampleWriter writer = learner_.writer();
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, ended, [&] {
      return next_fill_ < next_take_ + ahead_ && learner_.window_positions() > 0;
    });
    if (ended.stop_requested() || failure_) return;
    fill(lock, writer);
    changed_.notify_all();
  }
}

// The next batch; the lock is not held meanwhile.
void BatchLoader::fill(std::unique_lock<std::mutex>& lock, ExampleWriter& writer) {
  const std::uint64_t step = next_fill_++, era = era_;
  TrainingBatch batch;
  if (!spare_.empty()) {
    batch = std::move(spare_.back());
    spare_.pop_back();
  }
  lock.unlock();
  std::exception_ptr failure;
  try {
    learner_.fill(step, writer, batch);
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  if (failure)
    failure_ = failure;
  else if (era == era_)
    filled_[step] = std::move(batch);
}

void BatchLoader::restart(std::uint64_t step) {
  const std::lock_guard lock(mutex_);
  next_take_ = next_fill_ = step;
  filled_.clear();
  ++era_;
}

TrainingBatch BatchLoader::take(std::uint64_t step) {
  std::unique_lock lock(mutex_);
  if (step != next_take_) {
    lock.unlock();
    restart(step);
    lock.lock();
  }
  changed_.notify_all();  // there may be positions now
  changed_.wait(lock, [&] { return failure_ || filled_.contains(step); });
  if (failure_) std::rethrow_exception(failure_);
  TrainingBatch batch = std::move(filled_.at(step));
  filled_.erase(step);
  ++next_take_;
  changed_.notify_all();
  return batch;
}

void BatchLoader::give_back(TrainingBatch batch) {
  const std::lock_guard lock(mutex_);
  spare_.push_back(std::move(batch));
}

}  // namespace tabula
