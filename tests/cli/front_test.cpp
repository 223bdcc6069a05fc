#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/nn/torch_library.h"
#include "tests/run.h"
#include "tests/scratch.h"

using namespace tabula;

namespace {

// A benchmark's rows, each with numbers above 0 under these names.
nlohmann::json bench_rows(const std::string& arguments, const std::vector<std::string>& numbers) {
  const Ran ran = tabula_program("bench " + arguments + " --json --repeats 2 --milliseconds 1");
  CAPTURE(ran.output);
  REQUIRE(ran.status == 0);
  const auto report = nlohmann::json::parse(ran.output);
  CHECK(contains(report["machine"], " cores"));
  CHECK(report["repeats"] == 2);
  for (const auto& row : report["rows"])
    for (const std::string& number : numbers) {
      CAPTURE(number);
      CHECK(row[number] > 0);
    }
  return report["rows"];
}

void check_refusal(const std::string& arguments, const std::string& part) {
  const Ran ran = tabula_program(arguments);
  CAPTURE(arguments);
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(contains(ran.output, part));
  CHECK(std::ranges::count(ran.output, '\n') == 1);
}

}  // namespace

TEST_CASE("a command that does not exist names the nearest one") {
  check_refusal("chekc-game connect4", "Did you mean check-game?");
  check_refusal("train conect4", "there is no game called 'conect4'");
  check_refusal("train connect4 --minutes -1", "--minutes takes 0 to");
  check_refusal("train connect4 --net 3x33", "multiple of 32");
  check_refusal("train connect4 --rollout-positions 10", "or nothing begins");
  check_refusal("play connect4 --run nowhere", "nowhere");
  check_refusal("status nowhere", "there is no such run");
  check_refusal("train tictactoe --run /proc/none", "/proc/none: cannot make this folder: ");
  check_refusal("train tictactoe --minutes 99999999",
                "--minutes takes 0 to 10000000, not 99999999.");
  check_refusal("doctor nowhere", "there is no such run");
}

TEST_CASE("help is there for the program and for every command") {
  CHECK(contains(tabula_program("").output, "usage: tabula COMMAND"));
  for (const char* command : {"games", "check-game", "new-game", "perft", "solve", "db", "bench",
                              "train", "play", "eval", "status", "doctor", "keys"}) {
    const Ran ran = tabula_program(std::string(command) + " --help");
    CAPTURE(ran.output);
    CHECK(ran.status == 0);
    CHECK(contains(ran.output, std::string("usage: tabula ") + command));
    CHECK(contains(tabula_program("help").output, std::string("  ") + command));
    CHECK(tabula_program(std::string("help ") + command).output == ran.output);
  }
  CHECK(tabula_program("help bench games").output == tabula_program("bench games --help").output);
  check_refusal("help prft", "there is no command 'prft'. Did you mean perft?");
  CHECK(contains(tabula_program("--version").output, "tabula 0."));
}

TEST_CASE("games lists what is found, and what could not be used and why") {
  const Ran ran = tabula_program("games --plugins " TABULA_BUILD "/tests/plugins");
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(contains(ran.output, "othello8      65       3x8x8      4 diagonals"));
  CHECK(contains(ran.output, "pig100        2"));
  CHECK(contains(ran.output, "take_three"));
  CHECK(contains(ran.output, "other_abi.so: built for plugin ABI 7"));
  check_refusal("games --plugins /nowhere", "there is no such folder");
}

TEST_CASE("perft counts, with and without the games that ended earlier") {
  CHECK(contains(tabula_program("perft tictactoe 9").output, " 127872 "));
  CHECK(contains(tabula_program("perft tictactoe 9 --games").output, " 255168 "));
  CHECK(contains(tabula_program("perft connect4 1 --moves '1 1 1 1 1 1'").output, " 6 "));
  CHECK(contains(tabula_program("perft connect4 0").output, "    0                    1"));
  check_refusal("perft connect4 x", "DEPTH must be a number");
  check_refusal("perft connect4 -1", "DEPTH must be a number from 0 to 200, not '-1'.");
  check_refusal("perft connect4 4 --moves 9", "is not legal in connect4");
  check_refusal("perft connect4", "DEPTH is missing");
}

TEST_CASE("a full disk is an error, not a success") {
  for (const char* arguments :
       {"games", "check-game tictactoe --playouts 2", "perft tictactoe 2"}) {
    const Ran ran = tabula_program(std::string(arguments) + " > /dev/full");
    CAPTURE(ran.output);
    CHECK(ran.status == 1);
    CHECK(contains(ran.output, "cannot write the output"));
  }
}

TEST_CASE("a plugin that lies about counts or reasons is an error, not a crash") {
  const std::pair<const char*, const char*> liars[] = {{"many", "legal() gave 1000000 moves"},
                                                       {"few", "legal() gave -5 moves"},
                                                       {"silent", "no reason was given"}};
  for (const auto& [name, said] : liars) {
    const Ran ran =
        tabula_program("perft " TABULA_BUILD "/tests/plugins/liar_" + std::string(name) + ".so 3");
    CHECK(ran.status == 1);
    CHECK(contains(ran.output, said));
  }
}

TEST_CASE("a folder of plugins with dead links and odd things in it still lists the others") {
  const Scratch scratch;
  std::filesystem::create_symlink("/nowhere/at/all.so", scratch / "dead.so");
  std::filesystem::create_directory(scratch / "folder.so");
  const Ran ran = tabula_program("games --plugins " + scratch.path());
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(contains(ran.output, "dead.so: there is no such file"));
  CHECK(contains(ran.output, "folder.so: not a file"));
  CHECK(contains(ran.output, "connect4 "));
  CHECK(tabula_program("check-game tictactoe --playouts 2 --plugins " + scratch.path()).status ==
        0);
  CHECK(contains(run("TABULA_PLUGINS=/nonsense " TABULA_BUILD "/bin/tabula games").output,
                 "/nonsense: cannot look for plugins there"));
}

TEST_CASE("solve says the position's score first, then each move's") {
  const Ran ran = tabula_program("solve connect4 274552224131661");
  CAPTURE(ran.output);
  CHECK(ran.output.starts_with("score 0  a draw\n"));
  CHECK(contains(ran.output, "column 4    0\n"));
  CHECK(tabula_program("solve connect4 --sign '4 4 4 4 4 2 2 1 1 1 1'").status == 0);
  check_refusal("solve connect4 48", "'8' is not a column");
  check_refusal("solve connect4 1212121", "the game is over");
  check_refusal("solve chess", "only for connect4");
  check_refusal("solve conect4 44", "Did you mean connect4?");
}

TEST_CASE("bench games prints a row for every shipped game, and JSON for tools") {
  const Ran ran = tabula_program("bench games --json --repeats 1 --milliseconds 1");
  REQUIRE(ran.status == 0);
  const auto report = nlohmann::json::parse(ran.output);
  CHECK(report["rows"].size() == 17);
  for (const auto& row : report["rows"]) CHECK(row["playouts_per_second"] > 0);
  CHECK(contains(tabula_program("bench games --game connect4 --repeats 3 --milliseconds 2").output,
                 "connect4 "));
  check_refusal("bench speed", "cannot be measured");
  check_refusal("bench search --games 0", "must be at least 1");
  const Ran search = tabula_program("bench search --json --repeats 1 --milliseconds 5 --games 4");
  REQUIRE(search.status == 0);
  const auto walks = nlohmann::json::parse(search.output);
  for (const auto& row : walks["rows"]) CHECK(row["descents_per_second"] > 0);
  check_refusal("bench games --game " TABULA_BUILD "/tests/plugins/plain.so",
                "not one of the shipped games");
}

TEST_CASE("bench inference compares our kernels with LibTorch, game by game and net by net") {
  const auto rows = bench_rows(
      "inference --game connect4 --game othello8 --net 1x32 --net 2x32+squeeze --batch 1 --batch 3",
      {"batch", "evaluations_per_second", "gflops"});
  const std::size_t modes = torch_installed() ? 2 : 0;
  const std::size_t ours = rows.size() / 8 - modes;
  CHECK(rows.size() % 8 == 0);
  CHECK(ours >= 1);
  CHECK(rows[0]["engine"].get<std::string>().starts_with("fp32"));
  CHECK(rows.back()["game"] == "othello8");
  CHECK(rows.back()["net"] == "2x32+squeeze");
  CHECK(rows.back()["batch"] == 3);
  for (const auto& row : rows) CHECK(row["ratio"].is_number() == torch_installed());
  if (torch_installed()) CHECK(rows[ours]["engine"] == "LibTorch frozen cpu");
  CHECK(bench_rows("inference --kernel bf16-plain --net 1x32 --batch 1", {})[0]["engine"]
            .get<std::string>()
            .starts_with("bf16"));
  check_refusal("bench inference --net 5x65", "must be a multiple of 32");
  check_refusal("bench inference --net wide", "'wide' is no network");
  check_refusal("bench inference --kernel fp64", "'fp64' is no kernel");
  check_refusal("bench inference --game conect4", "Did you mean connect4?");
  check_refusal("bench inference --batch 0", "a batch must be from 1 to");
}

TEST_CASE("bench selfplay plays with each net, cached and in threads") {
  const std::string small = "selfplay --games 4 --simulations 8 --cache 1 ";
  const auto rows =
      bench_rows(small + "--net 1x32 --net 1x64",
                 {"engine_evaluations_per_second", "evaluations_per_second", "share",
                  "cache_hit_rate", "cache_gain", "threads_gain_wall", "threads_gain_processor"});
  REQUIRE(rows.size() == 2);
  CHECK(rows[1]["net"] == "1x64");
  CHECK(rows[1]["cache_hit_rate"] < 1);
  CHECK(contains(tabula_program("bench " + small +
                                "--net 1x32 --repeats 1 --milliseconds 1 "
                                "--threads 3 --gumbel --game pig100")
                     .output,
                 "3 threads"));
  check_refusal("bench selfplay --threads 0", "must be at least 1");
  check_refusal("bench selfplay --games 99999", "a batch must be from 1 to");
  check_refusal("bench selfplay --net 5by64", "'5by64' is no network");
}

TEST_CASE("bench training says samples a second and the share outside LibTorch") {
  if (!torch_installed()) return check_refusal("bench training", "has no LibTorch");
  for (const std::string game : {"connect4", "pig100"}) {
    const auto rows = bench_rows("training --net 1x32 --batch 2 --batch 5 --game " + game,
                                 {"batch", "samples_per_second", "share_outside"});
    REQUIRE(rows.size() == 2);
    CHECK(rows[1]["batch"] == 5);
    CHECK(rows[1]["share_outside"] < 1);
  }
  check_refusal("bench training --game chess", "there is no game called 'chess'");
  check_refusal("bench training --threads 0", "must be at least 1");
}

TEST_CASE("the front door starts without LibTorch") {
  CHECK(!contains(run("ldd " TABULA_BUILD "/bin/tabula").output, "libtorch"));
}
