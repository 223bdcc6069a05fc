// What trainings came to, and games that a player shows by itself.
#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/nn/torch_library.h"
#include "core/wire/model_transfer.h"
#include "front/run/run_report.h"
#include "tests/program.h"
#include "tests/run.h"
#include "tests/running_server.h"
#include "tests/stores.h"

using namespace tabula;
namespace fs = std::filesystem;

namespace {

// A run's folder with some games and a table of two rows.
void make_run(const std::string& folder, std::uint64_t games, double loss,
              const std::string& game = "toy") {
  fs::create_directories(folder + "/training");
  Store(folder + "/games.db", Identity{game, 7, game}).add(arrivals(0, games));
  std::ofstream(folder + "/training/progress.csv")
      << "step,seconds,games,loss\n10,60,5,3\n20,120," << games << "," << loss << "\n";
}

}  // namespace

TEST_CASE("a report has the figures of runs, and statistics over them") {
  const Scratch scratch;
  make_run(scratch / "a", 10, 2);
  make_run(scratch / "b", 20, 1);
  std::ofstream(scratch / "b/eval.json") << R"({"rows": [{"share": 0.25, "name": "network"}]})";
  const RunReport a = report_of(scratch / "a"), b = report_of(scratch / "b/");
  CHECK(a.name == "a");
  CHECK(b.name == "b");
  CHECK(a.game == "toy");
  CHECK(a.figures.at("games") == 10);
  CHECK(a.figures.at("minutes") == 2);
  CHECK(a.figures.at("step") == 20);
  CHECK(a.loss == SvgPlot::Points{{1, 3}, {2, 2}});
  CHECK(b.figures.at("eval.rows.0.share") == 0.25);
  const auto statistics = statistics_of({a, b});
  CHECK(statistics.at("games").mean == 15);
  CHECK(statistics.at("games").deviation == doctest::Approx(7.0710678));
  CHECK(statistics.at("loss").least == 1);
  CHECK(statistics.at("loss").most == 2);
  CHECK(statistics.at("eval.rows.0.share").count == 1);
  CHECK(statistics.at("eval.rows.0.share").deviation == 0);
}

TEST_CASE("tabula report writes plots and numbers, and says what was not reached") {
  const Scratch scratch;
  make_run(scratch / "a", 10, 2);
  make_run(scratch / "b", 20, 1);
  make_run(scratch / "other", 5, 1, "chess");
  const auto report = [&](const std::string& more) {
    return tabula_program("report " + scratch / "a" + " " + scratch / "b" + more);
  };
  const Ran ran = report(" --out " + scratch / "out");
  CHECK_MESSAGE(ran.status == 0, ran.output);
  CHECK(contains(ran.output, "2 runs"));
  for (const char* plot : {"games.svg", "loss.svg", "rating.svg"})
    CHECK(fs::file_size(scratch / "out/" + plot) > 100);
  std::ifstream file(scratch / "out/report.json");
  const auto json = nlohmann::json::parse(file);
  CHECK(json["runs"].size() == 2);
  CHECK(json["statistics"]["games"]["mean"] == 15);

  CHECK(report(" --at-least games=10").status == 0);
  const Ran below = report(" --at-least games=11");
  CHECK(below.status == 1);
  CHECK(contains(below.output, "a did not reach games=11: its games is 10"));
  CHECK(contains(report(" --at-least games").output, "--at-least takes FIGURE=NUMBER"));
  CHECK(contains(report(" --at-least fame=1").output, "has no figure 'fame'"));
  CHECK(contains(report(" " + scratch / "other").output, "a report is of one game"));
  CHECK(contains(tabula_program("report " + scratch / "none").output, "there is no run"));
}

TEST_CASE("a player plays against itself, each time from another opening") {
  const Ran ran = tabula_program("play tictactoe --model rollout --simulations 20 --itself 3");
  CHECK_MESSAGE(ran.status == 0, ran.output);
  for (const char* said : {"game 1\nit plays", "game 2\ndrawn at random", "game 3\n"})
    CHECK(contains(ran.output, said));
  CHECK(!contains(ran.output, "your move"));
}

TEST_CASE("other machines help a training, with the keys that it made") {
  if (!torch_installed()) {
    MESSAGE("skipped: this build has no LibTorch");
    return;
  }
  const Scratch folder;
  const std::string address = "ipc://" + (folder / "outside");
  Program train("tabula",
                {"train", "tictactoe", "--run", "r", "--workers", "0", "--listen", address, "--net",
                 "1x32", "--simulations", "8", "--cheap-simulations", "8", "--arena-share", "0"},
                folder.path(), "train.log");
  REQUIRE_MESSAGE(eventually([&] { return fs::exists(folder / "r/keys/worker.key"); }),
                  train.said());
  REQUIRE_MESSAGE(eventually([&] { return served(folder / "r/games.db"); }), train.said());
  Program worker(
      "selfplay",
      {"--replay", address, "--key", "r/keys/worker.key", "--outbox", "o", "--threads", "1"},
      folder.path(), "worker.log");
  const Reader reader(folder / "r/games.db");
  CHECK_MESSAGE(eventually([&] { return reader.totals().seen_games > 100; }), worker.said());
  CHECK(worker.end(SIGTERM) == 0);
  CHECK_MESSAGE(train.end(SIGTERM) == 0, train.said());
  CHECK(contains(tabula_program("train tictactoe --keys k").output, "--listen tcp://*:7710"));
}
