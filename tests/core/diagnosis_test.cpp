// What `tabula doctor` finds.
#include "front/run/diagnosis.h"

#include <doctest/doctest.h>

#include "front/run/train_view.h"

using namespace tabula;

namespace {

RunStatus healthy() {
  RunStatus status;
  status.game = "connect4";
  status.champion = "a";
  status.models = {{.id = "a", .number = 1}};
  status.programs = {
      {"selfplay", "w", 0, {{"games/s", 5.}, {"batch_fill", 1.}, {"model_age", 10.}}},
      {"trainer", "t", 0, {{"reuse", 4.}, {"reuse_target", 4.}, {"waiting", 0.2}}},
      {"arena", "a", 0, {}}};
  return status;
}

std::string finding(const RunStatus& status, double disk = 1e12) {
  const Diagnosis diagnosis = diagnose(status, disk);
  return (diagnosis.healthy ? "" : "! ") + diagnosis.finding;
}

}  // namespace

TEST_CASE("a run in balance is told so") {
  CHECK(finding(healthy()) == "nothing: self-play and training are in balance");
}

TEST_CASE("each trouble has its finding, and the gravest comes first") {
  RunStatus status = healthy();
  status.programs[1].figures["waiting"] = 0.9;
  CHECK(finding(status) == "self-play: the trainer waits for games 90 % of its time");
  status.programs[0].figures["processor"] = 0.1;
  CHECK(finding(status) ==
        "self-play: its threads have 10 % of a processor each, and the trainer waits for games 90 "
        "% of its time");
  status.programs[1].figures["waiting"] = 0.35;
  CHECK(finding(status).starts_with("self-play: its threads have 10 % of a processor each"));
  status.programs[0].figures.erase("processor");
  status.programs[1].figures = {{"reuse", 1.}, {"reuse_target", 4.}, {"waiting", 0.2}};
  CHECK(finding(status) == "nothing: self-play and training are in balance");  // it catches up
  status.programs[1].figures["waiting"] = 0;
  CHECK(finding(status) == "the trainer: games come faster than it can use them");
  status.programs[0].figures["batch_fill"] = 0.25;
  CHECK(finding(status) == "! self-play's batches are 25 % full");
  status.programs[0].figures["model_age"] = 7200;
  CHECK(finding(status) == "! self-play's model is old");
  for (std::uint64_t i = 2; i < 30; ++i)
    status.models.push_back({.id = std::to_string(i), .number = i});
  CHECK(finding(status) == "! the arena is 28 candidates behind");
  status.programs.pop_back();
  CHECK(finding(status) == "! candidates wait for an arena");
  status.programs[0].figures["refused"] = 3;
  CHECK(finding(status) == "! the store refuses games of worker w");
  status.programs[0].figures["holding"] = 1;
  CHECK(finding(status).starts_with("! the outbox of worker w is full"));
  status.programs.pop_back();
  CHECK(finding(status) == "! nobody trains");
  status.programs.clear();
  CHECK(finding(status) == "! nobody plays");
  CHECK(finding(status, 1e8) == "! the disk of the database is nearly full");
  status.trouble = "the disk is full";
  CHECK(finding(status) == "! the store cannot write: the disk is full");
  status.served = false;
  CHECK(finding(status) == "! nobody works on it");
}

TEST_CASE("an arena that is not there is not to blame, nor a store that one process has") {
  RunStatus status = healthy();
  status.champion.clear();
  status.programs.pop_back();
  for (std::uint64_t i = 2; i < 30; ++i)
    status.models.push_back({.id = std::to_string(i), .number = i});
  CHECK(finding(status) == "nothing: self-play and training are in balance");
  status.served = false;
  status.alone = true;
  CHECK(finding(status).starts_with("not known: a process has it that answers nobody"));
}

TEST_CASE("a program that has not reported is starting, and nothing is said of it") {
  for (const std::size_t program : {0, 1}) {
    RunStatus status = healthy();
    status.programs[program].figures = {{"memory", 100.}};
    CHECK(finding(status) == "nothing yet: the programs are starting");
    const std::string line =
        TrainView{.game = "nim", .folder = "runs/nim"}.line(status, diagnose(status, -1));
    CHECK_MESSAGE(line.find(program == 0 ? "; starting;" : "trainer: starting;") != line.npos,
                  line);
  }
}

TEST_CASE("the rating curve adds up what promotions found") {
  RunStatus status = healthy();
  CHECK(rating_curve(status) == std::vector<double>{0});
  status.matches = {{.number = 1,
                     .open = false,
                     .verdict = "better: +30.0 Elo [+10.0, +50.0], 200 pairs, llr 2.95"},
                    {.number = 2,
                     .open = false,
                     .verdict = "not better: -3.0 Elo [-20.4, +14.4], 350 pairs, llr -2.96"},
                    {.number = 3, .open = false, .verdict = "skipped: a newer candidate was there"},
                    {.number = 4,
                     .open = false,
                     .verdict = "better: +12.0 Elo [+1.0, +23.0], 400 pairs, llr 2.95"}};
  CHECK(rating_curve(status) == std::vector<double>{0, 30, 42});
  CHECK(rating_text(status) == "42 Elo above the first, after 2 promotions");
}

TEST_CASE("without a gate the rating is of the model that was rated, not of the champion") {
  RunStatus status = healthy();
  CHECK(rating_text(status) == "");
  status.models = {{.id = "b", .number = 1, .step = 50},
                   {.id = "c", .number = 2, .step = 1000},
                   {.id = "a", .number = 3, .step = 1050}};
  status.matches = {{.number = 1,
                     .candidate = "c",
                     .champion = "b",
                     .open = false,
                     .verdict = "rated: +30.0 Elo [+10.0, +50.0], 100 pairs, llr 0.00"}};
  CHECK(rating_text(status) == "model 2 (step 1,000) was 30 Elo above the first, by a match");
}

TEST_CASE("a view fits its lines, and says what is not there yet") {
  RunStatus status;
  const TrainView view{.game = "nim", .folder = "runs/nim", .seconds = 3723};
  const auto lines = view.lines(status, diagnose(status, -1), 80);
  CHECK(lines.front() == "learning nim, 1:02:03, in runs/nim");
  CHECK(view.line(status, diagnose(status, -1)).find("champion: none yet") != std::string::npos);
  CHECK(grouped(1234567) == "1,234,567");
  CHECK(grouped(-12) == "-12");
}
