#include "trainer/progress.h"

#include <cstdio>
#include <utility>

#include "core/base/clock.h"
#include "core/base/log.h"

namespace tabula {
namespace {

// Of progress.csv, and what TensorBoard calls them; what it is not told has no name there.
struct Column {
  const char *name, *tag;
};
constexpr Column kColumns[] = {{"seconds", nullptr},
                               {"games", "data/games"},
                               {"positions", "data/positions"},
                               {"window", "data/window"},
                               {"samples_per_second", "pace/samples_per_second"},
                               {"waiting", "pace/waiting"},
                               {"outside_torch", nullptr},
                               {"reuse", "pace/reuse"},
                               {"loss", "loss/total"},
                               {"policy", "loss/policy"},
                               {"wdl", "loss/wdl"},
                               {"moves_left", "loss/moves_left"},
                               {"reply", "loss/reply"},
                               {"gradient", nullptr}};

std::vector<std::string> column_names() {
  std::vector<std::string> names;
  for (const Column& column : kColumns) names.emplace_back(column.name);
  return names;
}

std::string text_of(double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

}  // namespace

Progress::Progress(const std::filesystem::path& folder, const Learner& learner)
    : folder_(folder),
      learner_(learner),
      forget_(std::int64_t(learner.progress().steps)),
      last_seconds_(double(clock_ms()) / 1000) {
  try {
    open();
  } catch (const DiskFull&) {  // write() tries again, and complains
  }
}

void Progress::open() {
  if (!files_) {
    StepTable table(folder_ / "progress.csv", column_names());
    table.forget_after(*forget_);
    const double before = table.last_of_first_column();
    files_.emplace(Files{std::move(table), EventFile(folder_, *forget_)});
    seconds_ += before;
  } else if (forget_) {
    files_->table.forget_after(*forget_);
  }
  forget_.reset();
}

void Progress::went_back(std::uint64_t step) {
  forget_ = std::int64_t(step);
  row_.clear();
  sum_ = {};
  steps_ = 0;
  busy_ = 0;
}

void Progress::stepped(const Losses& losses, double seconds) {
  ++steps_;
  busy_ += seconds;
  sum_.total += losses.total;
  sum_.policy += losses.policy;
  sum_.wdl += losses.wdl;
  sum_.moves_left += losses.moves_left;
  sum_.reply += losses.reply;
  sum_.gradient += losses.gradient;
}

double Progress::waiting(double seconds_now) const {
  return std::min(1., waited_ / std::max(1e-3, seconds_now - last_seconds_));
}

std::vector<Beat::Figure> Progress::report(double seconds_now) {
  const LearnProgress now = learner_.progress();
  const std::uint64_t fresh = learner_.fresh();
  const double span = std::max(1e-3, seconds_now - last_seconds_);
  seconds_ += span;
  const double torch = learner_.seconds_in_torch() - last_torch_;
  const double outside = busy_ > 0 ? std::max(0., 1 - torch / busy_) : 0;
  const double rate = double(steps_) * learner_.settings().batch / span;
  const double waiting = this->waiting(seconds_now);
  const double reuse = now.seen == 0 ? 0 : double(now.samples) / double(now.seen);
  std::vector<Beat::Figure> figures = {{"steps", double(now.steps)},
                                       {"samples_per_second", rate},
                                       {"waiting", waiting},
                                       {"outside_torch", outside},
                                       {"reuse", reuse},
                                       {"reuse_target", learner_.settings().reuse},
                                       {"fresh_per_second", double(fresh - last_fresh_) / span},
                                       {"games", double(now.games)},
                                       {"positions", double(now.seen)},
                                       {"window", double(now.window_positions)}};
  if (steps_ > 0) {
    const double n = double(steps_);
    row_ = {seconds_,       double(now.games), double(now.seen), double(now.window_positions),
            rate,           waiting,           outside,          reuse,
            sum_.total / n, sum_.policy / n,   sum_.wdl / n,     sum_.moves_left / n,
            sum_.reply / n, sum_.gradient / n};
    row_step_ = std::int64_t(now.steps);
    figures.push_back({"policy_loss", sum_.policy / n});
    figures.push_back({"wdl_loss", sum_.wdl / n});
    log("trains", {{"step", std::to_string(now.steps)},
                   {"games", std::to_string(now.games)},
                   {"window", std::to_string(now.window_positions)},
                   {"policy", text_of(sum_.policy / n, 4)},
                   {"wdl", text_of(sum_.wdl / n, 4)},
                   {"samples/s", text_of(rate, 0)},
                   {"waiting", text_of(waiting, 2)},
                   {"reuse", text_of(reuse, 2)}});
  }
  last_seconds_ = seconds_now;
  last_fresh_ = fresh;
  last_torch_ += torch;
  sum_ = {};
  steps_ = 0;
  busy_ = waited_ = 0;
  return figures;
}

void Progress::write() {
  if (row_.empty()) return;
  std::vector<double> row = std::exchange(row_, {});
  open();
  row.front() = seconds_;  // now it is known what the table had
  files_->table.add(row_step_, row);
  std::vector<EventFile::Scalar> scalars;
  for (std::size_t i = 0; i < row.size(); ++i)
    if (kColumns[i].tag) scalars.push_back({kColumns[i].tag, row[i]});
  files_->events.add(row_step_, scalars);
}

}  // namespace tabula
