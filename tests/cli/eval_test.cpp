#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/digest.h"
#include "core/base/files.h"
#include "core/nn/net.h"
#include "core/store/model_files.h"
#include "core/store/store.h"
#include "tests/run.h"
#include "tests/scratch.h"
#include "tests/support.h"

using namespace tabula;
using Json = nlohmann::json;

namespace {

Ran eval(const std::string& arguments) { return tabula_program("eval " + arguments); }

Json json_of(const std::string& arguments) {
  const Ran ran = eval(arguments + " --json");
  CAPTURE(ran.output);
  REQUIRE(ran.status == 0);
  return Json::parse(ran.output);
}

void check_refusal(const std::string& arguments, const std::string& part) {
  const Ran ran = eval(arguments);
  CAPTURE(arguments);
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(contains(ran.output, part));
  CHECK(std::ranges::count(ran.output, '\n') == 1);
}

void save(const std::string& game, std::uint64_t seed, const std::string& file) {
  save_net(new_net(shipped(game), parse_net_config("tiny"), seed), file);
}

// A run of tictactoe with two models, of which the first is the champion. Returns their ids.
std::vector<std::string> make_run(const Scratch& folder) {
  const Rules& rules = shipped("tictactoe");
  const std::string database = folder / "games.db";
  Store store(database, Identity{rules.name(), rules.fingerprints().rules, "tictactoe"});
  ModelFiles files(database);
  std::vector<std::string> ids;
  for (std::uint64_t seed : {5, 6}) {
    save("tictactoe", seed, folder / "net");
    const std::string bytes = read_file(folder / "net", 1 << 24);
    ids.push_back(hex(digest_of(bytes)));
    files.receive(ids.back(), 0, bytes);
    files.complete(ids.back());
    store.add_model({.id = ids.back(), .bytes = bytes.size()});
  }
  store.move_champion(0, ids[0], 0);
  return ids;
}

}  // namespace

TEST_CASE("eval measures a network beside an untrained one and rollouts") {
  const Scratch folder;
  save("tictactoe", 1, folder / "net");
  const std::string arguments =
      "tictactoe --model " + (folder / "net") + " --solver 300 --simulations 30 --exact-play";
  const Json report = json_of(arguments);
  const Json& rows = report["positions"]["rows"];
  REQUIRE(rows.size() == 5);
  CHECK(rows[0]["player"] == "network");
  CHECK(rows[1]["simulations"] == 30);
  CHECK(rows[4]["player"] == "rollouts");
  CHECK(report["positions"]["count"] == 300);
  for (int i : {0, 1}) {  // its weights are those of the untrained one with that seed
    CHECK(rows[i]["thrown"] == rows[i + 2]["thrown"]);
    CHECK(rows[i]["simulations"] == rows[i + 2]["simulations"]);
  }
  CHECK(rows[0]["thrown"] > 50);
  CHECK(rows[1]["thrown"] < rows[0]["thrown"]);
  CHECK(rows[0]["share_interval"][0] < rows[0]["share"]);
  CHECK(rows[0]["share"] < rows[0]["share_not_lost"]);
  CHECK(report["lines"][0]["exact"][1]["lost"] > 0);

  CHECK(json_of(arguments + " --threads 3 --batch 5") == report);
  CHECK(json_of(arguments + " --no-baselines")["positions"]["rows"].size() == 2);
  const Ran table = eval(arguments);
  CHECK(contains(table.output, "of those not lost"));
  CHECK(contains(table.output, "random moves"));
  CHECK(!contains(table.output, "\033"));
}

TEST_CASE("eval finds the models of a run") {
  const Scratch folder;
  const std::vector<std::string> ids = make_run(folder);
  const auto name = [&](const std::string& model) {
    return json_of("tictactoe --solver 10 --simulations 0 --run " + folder.path() + model)["model"];
  };
  CHECK(name("") == "champion " + ids[0].substr(0, 12));
  CHECK(name(" --model champion") == "champion " + ids[0].substr(0, 12));
  CHECK(name(" --model latest") == "latest " + ids[1].substr(0, 12));
  CHECK(name(" --model " + ids[1].substr(0, 20)) == ids[1].substr(0, 12));
  CHECK(name(" --model " + (folder / "net")) == folder / "net");
  check_refusal("tictactoe --solver 10 --model nothing --run " + folder.path(),
                "has no model 'nothing'");
  check_refusal("connect4 --solver 10 --model latest --run " + folder.path(),
                "this network plays 'tictactoe', not 'connect4'");
}

TEST_CASE("eval reads positions and keeps what the solver said about them") {
  const Scratch folder;
  const std::string file = folder / "positions", cache = folder / "cache";
  std::ofstream(file) << "7711175623712532276527 2\n\n5554224333234511764415115 4\n"
                         "61347434254221122667445666337 -1\n13117333672645 0\n";
  const std::string arguments = "connect4 --model untrained --net tiny --simulations 0 --cache " +
                                cache + " --positions " + file;
  const Json report = json_of(arguments);
  CHECK(report["positions"]["count"] == 4);
  CHECK(report["positions"]["not_lost"] == 3);
  const std::string kept = read_file(cache, 1 << 20);
  CHECK(std::ranges::count(kept, '\n') == 5);
  CHECK(json_of(arguments) == report);
  CHECK(read_file(cache, 1 << 20) == kept);

  std::string wrong = kept;  // what it says is believed, so a changed answer is seen
  for (std::size_t at = wrong.find('\n'); at < wrong.size(); ++at)
    if (wrong[at] == ' ' && (wrong[at + 1] == '0' || wrong[at + 1] == '1'))
      for (; wrong[at + 1] != '\n'; ++at) wrong[at + 1] = '1';
  std::ofstream(cache) << wrong;
  CHECK(json_of(arguments)["positions"]["thrown_by_random_moves"] == 0);
  CHECK(report["positions"]["thrown_by_random_moves"] > 0);
  std::ofstream(cache) << "something else\n";
  check_refusal(arguments, "cache: this is no cache of tabula eval");
  std::ofstream(cache) << kept << "zz\n";
  check_refusal(arguments, "cache, line 6: ");
}

TEST_CASE("eval refuses what cannot be, with a sentence") {
  const Scratch folder;
  const std::string file = folder / "positions";
  save("tictactoe", 1, folder / "net");
  const std::string connect4 = "connect4 --model untrained --net tiny --simulations 0 ";
  const auto line = [&](const std::string& text, const std::string& part) {
    std::ofstream(file) << "13117333672645 0\n" << text << "\n";
    check_refusal(connect4 + "--positions " + file, "positions, line 2: " + part);
  };
  line("4455", "'4455' is not MOVES and SCORE");
  line("4455 1 1", "'4455 1 1' is not MOVES and SCORE");
  line("4455 x", "'x' is not a score");
  line("4459 1", "move 4 cannot be played: '9' is not a column");
  line("1212121 5", "the game is over");
  line("61347434254221122667445666337 5", "the score cannot be");  // it is lost

  check_refusal(connect4 + "--positions " + (folder / "none"), "there is no such file");
  check_refusal(connect4 + "--positions " + file + " --solver 5", "not both");
  check_refusal(connect4, "which positions?");
  check_refusal("connect4 --solver 5", "which model?");
  check_refusal("connect4 --solver 5 --model " + (folder / "none"), "there is no such file");
  check_refusal("connect4 --solver 5 --model latest", "Say --run DIR");
  check_refusal("connect4 --solver 5 --model " + (folder / "net"), "plays 'tictactoe'");
  check_refusal("conect4 --solver 5 --model untrained", "there is no game called 'conect4'");
  check_refusal("tictactoe --model untrained --positions " + file, "for connect4 only");
  check_refusal("einstein --model untrained --net tiny --solver 5", "has dice");
  check_refusal("tictactoe --model untrained --solver 5 --threads 0", "--threads must be");
}
