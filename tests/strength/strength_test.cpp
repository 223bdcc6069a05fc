// Suite `strength`: games learnt from nothing through the programs, with the shipped defaults, held
// against the truth. Hours: TABULA_MINUTES shortens every training (and then only reports).
//
// Each case leaves a row in build/.../strength, which table.sh puts into docs/strength.md.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/cores.h"
#include "core/store/model_files.h"
#include "core/store/reader.h"
#include "tests/run.h"

using namespace tabula;
namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

const char* given_minutes() { return std::getenv("TABULA_MINUTES"); }

struct Trained {
  std::string run, model;  // its folder, and the champion's file
  double minutes;
};

fs::path suite_folder() {
  const fs::path folder = TABULA_BUILD "/strength";
  fs::create_directories(folder);
  return folder;
}

Trained train(const std::string& game, double minutes, int seed) {
  if (given_minutes()) minutes = std::atof(given_minutes());
  const std::string run_folder = suite_folder() / (game + "-" + std::to_string(seed));
  fs::remove_all(run_folder);
  const Ran ran = tabula_program("train " + game + " --minutes " + std::to_string(minutes) +
                                 " --seed " + std::to_string(seed) + " --run " + run_folder);
  REQUIRE_MESSAGE(ran.status == 0, ran.output);
  const std::string database = run_folder + "/games.db";
  const std::string champion = Reader(database).champion().model;
  REQUIRE_MESSAGE(!champion.empty(), ran.output);
  return {run_folder, ModelFiles(database).path(champion), minutes};
}

Json json_of(const std::string& command) {
  const Ran ran = run(TABULA_BUILD "/bin/" + command + " 2>/dev/null");
  REQUIRE_MESSAGE(ran.status == 0, ran.output);
  return Json::parse(ran.output);
}

Json eval(const std::string& game, const Trained& trained, const std::string& how) {
  return json_of("tabula eval " + game + " --no-baselines --json --model " + trained.model + " " +
                 how);
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

void leave_row(const std::string& game, double minutes, const std::string& seeds,
               const std::string& result) {
  const int cores = usable_cores();  // as taskset left them
  std::ofstream(suite_folder() / (game + " " + seeds + ".row"))
      << "| " << game << " | " << minutes << " | " << seeds << " | " << result << " | " << cores
      << (cores == 1 ? " core" : " cores") << "\n";
}

std::string percent(double share) {
  char text[16];
  std::snprintf(text, sizeof text, "%.2f %%", 100 * share);
  return text;
}

// Points of the champion against the rollout player, a game, and how sure that is.
void beats_rollouts(const std::string& game, double minutes) {
  constexpr const char* kSimulations = "100";
  const Trained trained = train(game, minutes, 1);
  const Json table =
      json_of("arena tournament " + trained.model + "@" + kSimulations +
              " rollout:" + kSimulations + " --game " + game + " --pairs 100 --json");
  for (const Json& player : table["players"]) {
    if (player["name"].get<std::string>().starts_with("rollout")) continue;
    const double elo = player["elo"], low = player["low"];
    leave_row(game, trained.minutes, "1",
              "scores " + std::to_string(player["points"].get<double>()).substr(0, 5) + " of " +
                  std::to_string(player["games"].get<int>()) + " games (" +
                  std::to_string(table["distinct"].get<int>()) + " distinct) against rollouts at " +
                  kSimulations + " simulations");
    MESSAGE(game << ": " << elo << " Elo, at least " << low);
    if (!given_minutes()) CHECK(low > 0);
  }
}

constexpr double kHour = 60;  // minutes

// The public test sets, and the largest share of moves that may throw the value away.
const std::vector<std::pair<std::string, double>> kSets = {
    {"Test_L2_R1", 0.003}, {"Test_L1_R1", 0.003}, {"Test_L2_R2", 0.037}};

fs::path shares_file(int seed) {
  return suite_folder() / ("connect4-" + std::to_string(seed) + ".json");
}

// An hour, judged by the public test sets. Leaves its shares for the median.
void learn_connect4(int seed) {
  fs::remove(shares_file(seed));
  const char* truth = std::getenv("TABULA_TRUTH");
  if (!truth) {
    MESSAGE("skipped: TABULA_TRUTH does not name the folder of the test sets");
    return;
  }
  const Trained trained = train("connect4", kHour, seed);
  Json shares = {{"minutes", trained.minutes}};
  std::string result;
  for (const auto& [name, most] : kSets) {
    const Json rows =
        eval("connect4", trained,
             "--simulations 600 --positions " + std::string(truth) + "/connect4/" + name +
                 " --cache " + (suite_folder() / "connect4.cache").string())["positions"]["rows"];
    for (const Json& row : rows)
      shares[row["simulations"] == 0 ? "alone" : "searched"][name] = row["share"];
    result += (result.empty() ? "" : "; ") + name + " " + percent(shares["searched"][name]) +
              " (alone " + percent(shares["alone"][name]) + ")";
  }
  leave_row("connect4", trained.minutes, std::to_string(seed), result);
  std::ofstream(shares_file(seed)) << shares;
}

}  // namespace

TEST_CASE("tictactoe: three minutes, and the policy alone never loses to exact play") {
  const Trained trained = train("tictactoe", 3, 1);
  const Json lines = eval("tictactoe", trained, "--simulations 0 --exact-play")["lines"][0];
  int played = 0, lost = 0;
  for (const Json& side : lines["exact"]) {
    played += side["lines"].get<int>();
    lost += side["lost"].get<int>();
  }
  leave_row("tictactoe", trained.minutes, "1",
            "the policy alone loses " + std::to_string(lost) + " of " + std::to_string(played) +
                " lines of exact play");
  if (!given_minutes()) CHECK(lost == 0);
}

TEST_CASE("connect4 seed 1: an hour") { learn_connect4(1); }
TEST_CASE("connect4 seed 2: an hour") { learn_connect4(2); }
TEST_CASE("connect4 seed 3: an hour") { learn_connect4(3); }

TEST_CASE("connect4: the median of three seeds") {
  std::map<std::string, std::vector<double>> searched;
  double minutes = 0;
  for (int seed : {1, 2, 3}) {
    std::ifstream file(shares_file(seed));
    if (!file) {
      MESSAGE("skipped: TABULA_TRUTH was not set, or seed " << seed << " has not run");
      return;
    }
    const Json shares = Json::parse(file);
    if (seed == 1) minutes = shares["minutes"];
    REQUIRE(shares["minutes"] == minutes);
    for (const auto& [name, most] : kSets) searched[name].push_back(shares["searched"][name]);
  }
  std::string result;
  for (const auto& [name, most] : kSets) {
    result += (result.empty() ? "" : "; ") + name + " " + percent(median(searched[name]));
    if (minutes == kHour) CHECK(median(searched[name]) <= most);
  }
  leave_row("connect4", minutes, "median of 1, 2, 3", result);
}

TEST_CASE("pig100: as good as the optimal policy, nearly") {
  const Trained trained = train("pig100", 30, 1);
  const double mean =
      eval("pig100", trained, "--simulations 0")["against_optimal"][0]["mean"].get<double>();
  leave_row("pig100", trained.minutes, "1",
            "wins " + percent(mean) + " against the optimal policy, mean of both seats, exactly");
  if (!given_minutes()) CHECK(mean >= 0.49);
}

TEST_CASE("einstein beats rollouts") { beats_rollouts("einstein", 10); }
TEST_CASE("othello6 beats rollouts") { beats_rollouts("othello6", 10); }
TEST_CASE("hex7 beats rollouts") { beats_rollouts("hex7", 10); }
TEST_CASE("breakthrough8 beats rollouts") { beats_rollouts("breakthrough8", 10); }
TEST_CASE("go9 beats rollouts") { beats_rollouts("go9", 60); }
