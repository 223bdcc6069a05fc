#include "front/run/diagnosis.h"

#include <algorithm>
#include <cstdio>

#include "core/base/clock.h"

namespace tabula {
namespace {

constexpr double kLittleDisk = 1e9, kOldModel = 1800, kStarved = 0.5, kRarelyFull = 0.5,
                 kBusy = 0.1, kCrowded = 0.3;

std::string percent(double share) {
  char text[16];
  std::snprintf(text, sizeof text, "%.0f %%", 100 * share);
  return text;
}

const ProgramStatus* one_that(const RunStatus& status, const char* program, const char* figure) {
  for (const ProgramStatus& each : status.programs)
    if (each.program == program && each[figure] > 0) return &each;
  return nullptr;
}

int untested(const RunStatus& status) {
  const auto tested = [&](const ModelRow& model) {
    return model.id == status.champion ||
           std::ranges::any_of(status.matches,
                               [&](const MatchRow& match) { return match.candidate == model.id; });
  };
  int count = 0;
  for (auto model = status.models.rbegin(); model != status.models.rend(); ++model, ++count)
    if (tested(*model)) break;
  return count;
}

}  // namespace

Diagnosis diagnose(const RunStatus& status, double disk_free) {
  const auto trouble = [](std::string finding, std::string remedy) {
    return Diagnosis{false, std::move(finding), std::move(remedy)};
  };
  const ProgramStatus* trainer = status.find("trainer");
  if (status.alone)
    return {true,
            "not known: a process has it that answers nobody (--lockstep, fetch, db, or a store "
            "that is starting)",
            ""};
  if (!status.served) return trouble("nobody works on it", "the same 'tabula train' goes on");
  if (!status.trouble.empty())
    return trouble("the store cannot write: " + status.trouble, "make room on its disk");
  if (disk_free >= 0 && disk_free < kLittleDisk)
    return trouble("the disk of the database is nearly full",
                   "make room, or keep fewer games: --keep of 'replay' and 'tabula train'");
  if (status.count("selfplay") == 0)
    return trouble("nobody plays", "start 'selfplay --replay ADDRESS'; the run's games.db is one");
  if (!trainer)
    return trouble("nobody trains", "start 'trainer --replay ADDRESS'; the run's games.db is one");
  if (const ProgramStatus* full = one_that(status, "selfplay", "holding"))
    return trouble("the outbox of worker " + full->worker +
                       " is full: the store does not take its games fast enough",
                   "look at the store's log and disk");
  if (const ProgramStatus* refused = one_that(status, "selfplay", "refused"))
    return trouble("the store refuses games of worker " + refused->worker,
                   "'tabula db stats' shows why");
  if (!status.champion.empty() && !status.find("arena") && untested(status) > 1)
    return trouble("candidates wait for an arena",
                   "start 'arena --replay ADDRESS'; the run's games.db is one");
  if (status.find("arena") && untested(status) > 20)
    return trouble("the arena is " + std::to_string(untested(status)) + " candidates behind",
                   "give it more cores, or publish more rarely: --publish-steps");
  const ProgramStatus* player = status.find("selfplay");
  if (!player->figures.contains("games/s") || !trainer->figures.contains("waiting"))
    return {true, "nothing yet: the programs are starting", ""};
  if ((*player)["model_age"] > kOldModel)
    return trouble("self-play's model is old",
                   "see whether the trainer trains and the arena tests");
  if ((*player)["batch_fill"] > 0 && (*player)["batch_fill"] < kRarelyFull)
    return trouble("self-play's batches are " + percent((*player)["batch_fill"]) + " full",
                   "fewer --games-per-thread do as well");
  const double waiting = (*trainer)["waiting"];
  const double processor = status.sum("selfplay", "processor") / status.count("selfplay");
  if (waiting > kBusy && processor > 0 && processor < kCrowded)
    return {true,
            "self-play: its threads have " + percent(processor) +
                " of a processor each, and the trainer waits for games " + percent(waiting) +
                " of its time",
            "end what else computes there, or more self-play on other machines"};
  if (waiting > kStarved)
    return {true, "self-play: the trainer waits for games " + percent(waiting) + " of its time",
            "more self-play, or a higher --reuse"};
  if (waiting < kBusy && (*trainer)["reuse"] > 0 &&
      (*trainer)["reuse"] < 0.8 * (*trainer)["reuse_target"])
    return {true, "the trainer: games come faster than it can use them",
            "more cores, a smaller --reuse, or another run with a smaller --net"};
  return {true, "nothing: self-play and training are in balance", ""};
}

}  // namespace tabula
