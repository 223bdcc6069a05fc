#include "trainer/progress.h"

#include <cstdio>

#include "core/base/clock.h"
#include "core/base/log.h"

namespace tabula {
namespace {

std::string text_of(double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

}  // namespace

Progress::Progress(const std::filesystem::path& folder, const Learner& learner)
    : learner_(learner),
      table_(folder / "progress.csv", {"seconds", "games", "positions", "window",
                                       "samples_per_second", "waiting", "outside_torch", "reuse",
                                       "loss", "policy", "wdl", "moves_left", "reply", "gradient"}),
      events_(folder, std::int64_t(learner.progress().steps)),
      last_seconds_(double(clock_ms()) / 1000) {
  table_.forget_after(std::int64_t(learner.progress().steps));
  seconds_ = table_.last_of_first_column();
}

void Progress::went_back(std::uint64_t step) {
  table_.forget_after(std::int64_t(step));
  sum_ = {};
  steps_ = 0;
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
    const double row[] = {
        seconds_,       double(now.games), double(now.seen), double(now.window_positions),
        rate,           waiting,           outside,          reuse,
        sum_.total / n, sum_.policy / n,   sum_.wdl / n,     sum_.moves_left / n,
        sum_.reply / n, sum_.gradient / n};
    table_.add(std::int64_t(now.steps), row);
    const EventFile::Scalar scalars[] = {{"loss/total", sum_.total / n},
                                         {"loss/policy", sum_.policy / n},
                                         {"loss/wdl", sum_.wdl / n},
                                         {"loss/moves_left", sum_.moves_left / n},
                                         {"loss/reply", sum_.reply / n},
                                         {"pace/samples_per_second", rate},
                                         {"pace/waiting", waiting},
                                         {"pace/reuse", reuse},
                                         {"data/games", double(now.games)},
                                         {"data/positions", double(now.seen)},
                                         {"data/window", double(now.window_positions)}};
    events_.add(std::int64_t(now.steps), scalars);
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

}  // namespace tabula
