#pragma once
#include <filesystem>
#include <optional>
#include <vector>

#include "core/loop/learner.h"
#include "core/report/csv.h"
#include "core/report/events.h"
#include "core/wire/messages.h"

namespace tabula {

// What a training tells: means of the losses since the last report, rates, and what it waited for.
// To the log, the store, progress.csv and TensorBoard; a full disk stops the last two alone.
class Progress {
 public:
  Progress(const std::filesystem::path& folder, const Learner& learner);

  void stepped(const Losses& losses, double seconds);
  void waited(double seconds) { waited_ += seconds; }
  void went_back(std::uint64_t step);  // rows after it will come again
  bool has_steps() const { return steps_ > 0; }
  double waiting(double seconds_now) const;  // share of the time since the last report
  double speed() const { return busy_ > 0 ? double(steps_) / busy_ : 0; }  // steps a busy second

  // Returns the figures for the store, and keeps a row, if steps were made.
  std::vector<Beat::Figure> report(double seconds_now);
  void write();  // the row, if there is one. Throws Error: then this row is lost, and no other

 private:
  struct Files {
    StepTable table;
    EventFile events;
  };
  void open();

  std::filesystem::path folder_;
  const Learner& learner_;
  std::optional<Files> files_;
  std::optional<std::int64_t> forget_;  // rows after this step, before the next is written
  std::vector<double> row_;             // to be written; empty: there is none
  std::int64_t row_step_ = 0;
  Losses sum_;
  std::uint64_t steps_ = 0, last_fresh_ = 0;
  double busy_ = 0, waited_ = 0, last_seconds_, last_torch_ = 0, seconds_ = 0;
};

}  // namespace tabula
