#pragma once
#include <filesystem>
#include <optional>

#include "core/loop/learner.h"
#include "core/report/csv.h"
#include "core/report/events.h"
#include "core/wire/messages.h"

namespace tabula {

// What a training tells: means of the losses since the last report, rates, and what it waited for.
// To the log, progress.csv, TensorBoard, and the store.
class Progress {
 public:
  Progress(const std::filesystem::path& folder, const Learner& learner);

  void stepped(const Losses& losses, double seconds);
  void waited(double seconds) { waited_ += seconds; }
  void went_back(std::uint64_t step);  // rows after it will come again
  bool has_steps() const { return steps_ > 0; }
  double waiting(double seconds_now) const;  // share of the time since the last report
  double speed() const { return busy_ > 0 ? double(steps_) / busy_ : 0; }  // steps a busy second

  // One row. Returns the figures for the store.
  std::vector<Beat::Figure> report(double seconds_now);

 private:
  const Learner& learner_;
  StepTable table_;
  EventFile events_;
  Losses sum_;
  std::uint64_t steps_ = 0, last_fresh_ = 0;
  double busy_ = 0, waited_ = 0, last_seconds_, last_torch_ = 0, seconds_ = 0;
};

}  // namespace tabula
