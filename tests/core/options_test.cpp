#include "core/cli/options.h"

#include <doctest/doctest.h>

#include <cstdio>
#include <fstream>

#include "core/base/nearest.h"

using namespace tabula;

namespace {

struct Knobs {
  int simulations = 100;
  double noise = 0.25;
  bool loud = false;
  std::string game;
};

Knobs parsed(const Args& args) {
  Knobs knobs;
  Options options("test GAME", "A test.");
  options.argument("GAME", knobs.game);
  options.add("simulations", knobs.simulations, "a number").add("noise", knobs.noise, "a share");
  options.flag("loud", knobs.loud, "a switch");
  options.parse(args);
  return knobs;
}

// An options file for the length of a test.
struct File {
  explicit File(const std::string& text) { std::ofstream(path) << text; }
  ~File() { std::remove(path.c_str()); }
  std::string path = "options_test.ini";
};

}  // namespace

TEST_CASE("a negative number is not a huge one") {
  std::uint64_t games = 3;
  Options options("test", "A test.");
  options.add("games", games, "a number");
  for (const Args& args : {Args{"--games=-5"}, Args{"--games", "-5"}})
    CHECK_THROWS_WITH_AS(options.parse(args), "--games takes no negative number.", Error);
  const File file("games = -1\n");
  CHECK_THROWS_WITH_AS(options.parse({"--config", file.path}),
                       "options_test.ini: --games takes no negative number.", Error);
  CHECK(games == 3);
}

TEST_CASE("options come from the command line, then the file, then the default") {
  const File file("simulations = 7\nnoise = 0.5\n");
  const Knobs knobs = parsed({"go9", "--simulations", "9", "--loud", "--config", file.path});
  CHECK(knobs.game == "go9");
  CHECK(knobs.simulations == 9);
  CHECK(knobs.noise == 0.5);
  CHECK(knobs.loud);
  CHECK(parsed({"go9"}).simulations == 100);
}

TEST_CASE("who set an option can be asked: somebody, or a file of defaults") {
  const File file("simulations = 7\n");
  double noise = 0.25;
  int simulations = 100, plies = 3;
  Options options("test", "A test.");
  options.add("simulations", simulations, "a number").add("noise", noise, "a share");
  options.add("plies", plies, "a number").defaults(file.path, "");
  options.parse({"--noise", "0.5"});
  CHECK(simulations == 7);
  CHECK(options.given() == std::map<std::string, std::string>{{"noise", "0.5"}});
  CHECK(options.found() == std::set<std::string>{"noise", "simulations"});
}

TEST_CASE("a mistake in an option is one sentence that names the nearest match") {
  CHECK_THROWS_WITH_AS(
      parsed({"go9", "--simulation", "9"}),
      "unknown option --simulation. Did you mean --simulations? --help lists them.", Error);
  const File file("simulatons = 7\n");
  CHECK_THROWS_WITH_AS(parsed({"go9", "--config", file.path}),
                       doctest::Contains("Did you mean --simulations?"), Error);
  CHECK_THROWS_WITH_AS(parsed({"go9", "--simulations", "many"}), doctest::Contains("simulations"),
                       Error);
  CHECK_THROWS_WITH_AS(parsed({"go9", "--config", "nowhere.ini"}),
                       doctest::Contains("cannot read this options file"), Error);
  CHECK_THROWS_WITH_AS(parsed({}), doctest::Contains("GAME is missing"), Error);
}

TEST_CASE("a negative number is an argument or a value, not an option") {
  CHECK(parsed({"-3"}).game == "-3");
  CHECK(parsed({"go9", "--noise", "-0.5"}).noise == -0.5);
  CHECK(parsed({"go9", "--simulations=-7"}).simulations == -7);
  CHECK_THROWS_WITH_AS(parsed({"go9", "-3"}), doctest::Contains("too many arguments"), Error);
  CHECK_THROWS_WITH_AS(parsed({"-x"}), doctest::Contains("unknown option -x"), Error);
}

TEST_CASE("a key that stands twice in a file is named, and so is the file") {
  const File file("noise = 0.5\nsimulations = 7\nsimulations = 8\n");
  CHECK_THROWS_WITH_AS(parsed({"go9", "--config", file.path}),
                       "options_test.ini: simulations is set more than once; keep one line.",
                       Error);
  CHECK_THROWS_WITH_AS(parsed({"go9", "--noise", "1", "--noise", "2"}),
                       "--noise is given more than once; once is enough.", Error);
}

TEST_CASE("a wrong value cannot put itself into the sentence about it for ever") {
  const char* why = "no option takes a value with %value% in it.";
  CHECK_THROWS_WITH_AS(parsed({"go9", "--simulations", "x%value%"}), why, Error);
  const File file("simulations = x%value%\n");
  CHECK_THROWS_WITH_AS(parsed({"go9", "--config", file.path}),
                       (std::string("options_test.ini: ") + why).c_str(), Error);
}

TEST_CASE("what a terminal would obey is not repeated to it") {
  const File file("simulations = \x1b[2J\nnoi\x07se = 1\n");
  CHECK_THROWS_WITH_AS(parsed({"go9", "--config", file.path}),
                       "options_test.ini: unknown option --noi?se. Did you mean --noise? --help "
                       "lists them.",
                       Error);
  CHECK_THROWS_WITH_AS(parsed({"go9", "--simulations", "\x1b[2J"}),
                       "the argument ('?[2J') for option '--simulations' is invalid; --help shows "
                       "how.",
                       Error);
}

TEST_CASE("the nearest name is near, or none") {
  const std::vector<std::string> names = {"connect4", "tictactoe", "go9"};
  CHECK(nearest("conect4", names) == "connect4");
  CHECK(nearest("tic-tac-toe", names) == "tictactoe");
  CHECK(nearest("backgammon", names).empty());
}
