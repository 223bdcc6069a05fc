#pragma once
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "core/loop/learner.h"

namespace tabula {

// Threads that fill the batches of the next steps while one is trained on.
class BatchLoader {
 public:
  BatchLoader(const Learner& learner, int threads, std::uint64_t first_step);
  ~BatchLoader();

  // The batch of this step: at once if it is the one after the last one taken. Throws what the
  // game's code threw. requires: there are positions
  TrainingBatch take(std::uint64_t step);
  void restart(std::uint64_t step);     // what is filled already is not wanted any more
  void give_back(TrainingBatch batch);  // its memory serves again

 private:
  void work(const std::stop_token& ended);
  void fill(std::unique_lock<std::mutex>& lock, ExampleWriter& writer);

  const Learner& learner_;
  std::size_t ahead_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::uint64_t next_fill_, next_take_, era_ = 0;
  std::map<std::uint64_t, TrainingBatch> filled_;
  std::vector<TrainingBatch> spare_;
  std::exception_ptr failure_;
  std::vector<std::jthread> threads_;
};

}  // namespace tabula
