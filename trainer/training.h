#pragma once
#include <atomic>
#include <map>
#include <memory>
#include <string>

#include "core/base/descriptor.h"
#include "core/loop/batch_loader.h"
#include "core/loop/herald.h"
#include "core/loop/thread_pace.h"
#include "trainer/config.h"
#include "trainer/log_reader.h"
#include "trainer/others.h"
#include "trainer/progress.h"
#include "trainer/publisher.h"

namespace tabula {

// A training: steps as the games allow, checkpoints, models, reports. With others, the first one.
class Training {
 public:
  // `head`: the store's newest number now.
  Training(const TrainerOptions& options, const Rules& rules, const std::string& address,
           std::uint64_t head);
  void run(const std::atomic<bool>& stopped);

 private:
  bool finished(std::int64_t began);
  bool meet(const std::atomic<bool>& stopped);
  void lose(const PeersLost& lost);
  void order(Next next);
  void turn();
  bool publish_now(std::uint64_t step) const;
  void go_back();
  void say_waiting(const std::string& why);
  void complain(const std::string& sentence);
  void save_and_publish();
  void report();

  const TrainerOptions& options_;
  std::map<std::string, std::int64_t> complained_;  // what, and when it may be said again
  Descriptor lock_;
  ThreadPace pace_;
  Learner learner_;
  Publisher publisher_;
  Herald herald_;
  Progress progress_;
  BatchLoader loader_;
  LogReader reader_;
  std::string parent_;
  std::uint64_t saved_step_ = 0;
  std::int64_t next_report_ = 0, said_at_ = 0;
  int failures_ = 0, report_ms_ = 1000;
  double cool_ = 1;  // of the learning rate
  std::shared_ptr<Peers> others_;
  bool met_ = false;  // the others, who are still there
};

}  // namespace tabula
