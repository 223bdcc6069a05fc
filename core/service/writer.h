#pragma once
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

#include "core/store/store.h"

namespace tabula {

// The one thread that writes a store. Jobs are done in order; what is to happen afterwards is done
// by the thread that calls finish().
class Writer {
 public:
  // Runs on the writing thread; what it returns runs in finish(). An exception that it throws goes
  // to `failed` there.
  using Then = std::function<void()>;
  using Job = std::function<Then(Store&)>;
  using Failed = std::function<void(const std::exception&)>;

  // `wake` is called from the writing thread when there is something to finish.
  Writer(Store& store, std::function<void()> wake);
  ~Writer();  // after all jobs
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void post(Job job, Failed failed);
  // Throws FlushFailed if a job did: nothing was written since.
  void finish();
  std::size_t waiting() const;

 private:
  struct Task {
    Job job;
    Failed failed;
  };
  void work();
  Then run(const Task& task);

  Store& store_;
  std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Task> tasks_;
  std::deque<Then> done_;
  std::exception_ptr broken_;  // a flush failed: no more jobs
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace tabula
