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
    if (ended.stop_requested()) return;
    const std::uint64_t step = next_fill_++, era = era_;
    TrainingBatch batch;
    if (!spare_.empty()) {
      batch = std::move(spare_.back());
      spare_.pop_back();
    }
    lock.unlock();
    learner_.fill(step, writer, batch);
    lock.lock();
    if (era == era_) filled_[step] = std::move(batch);
    changed_.notify_all();
  }
}

TrainingBatch BatchLoader::take(std::uint64_t step) {
  std::unique_lock lock(mutex_);
  if (step != next_take_) {
    next_take_ = next_fill_ = step;
    filled_.clear();
    ++era_;
  }
  changed_.notify_all();  // there may be positions now
  changed_.wait(lock, [&] { return filled_.contains(step); });
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
