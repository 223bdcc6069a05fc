#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <vector>

#include "tests/run.h"

using namespace tabula;
namespace fs = std::filesystem;

namespace {

const std::string kPlugins = TABULA_BUILD "/tests/wrong_games/";

std::vector<fs::path> wrong_games() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(TABULA_SOURCE "/tests/wrong_games"))
    if (entry.path().extension() == ".cpp") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

// The first line of each file says what the checker must answer.
std::string expectation(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  const std::string mark = "// expect: ";
  REQUIRE(line.starts_with(mark));
  // A sanitizer catches the crash itself, and the process leaves in its own way.
  if (std::string(TABULA_SANITIZE) != "" && contains(line, "a crash"))
    return "the game comes back from every call";
  return line.substr(mark.size());
}

Ran check(const std::string& name, const std::string& options = "") {
  return tabula_program("check-game " + kPlugins + name + ".so --playouts 30 --patience 2 " +
                        options);
}

}  // namespace

TEST_CASE("every deliberately wrong game is caught with the right message") {
  const auto files = wrong_games();
  REQUIRE(files.size() >= 30);
  for (const fs::path& file : files) {
    const std::string name = file.stem(), expected = expectation(file);
    const Ran ran = check(name);
    CAPTURE(name);
    CAPTURE(ran.output);
    CHECK(contains(ran.output, expected));
    CHECK((ran.status == 0) == contains(expected, "keeps the contract"));
    CHECK(ran.status <= 1);
  }
}

TEST_CASE("a breach comes with moves, board, what was expected and what came, and a seed") {
  const Ran ran = check("legal_out_of_range", "--seed 7");
  CAPTURE(ran.output);
  for (const char* part :
       {"BREACH: legal moves are in range", "moves ", "(actions ", "  board\n", " 1 ",
        "expected  actions from 0 to 5", "came      ", "--seed 7 --playouts 30"})
    CHECK(contains(ran.output, part));
}

TEST_CASE("a crash is reported with the call, the moves and the board that led to it") {
  const Ran ran = check("crashes");
  CAPTURE(ran.output);
  CHECK(contains(ran.output, "a return from apply"));
  CHECK(contains(ran.output, "(actions "));
}

TEST_CASE("a game in C keeps the contract, and one whose play_out() is not random is caught") {
  const auto ran = [](const std::string& name) {
    return tabula_program("check-game " TABULA_BUILD "/tests/plugins/" + name + ".so");
  };
  CHECK(ran("plain").status == 0);
  CHECK(contains(ran("wrong_play_out").output,
                 "BREACH: play_out() is random play by apply() and legal()"));
}

TEST_CASE("the same seed finds the same breach, another seed other moves") {
  // Without the progress line, which comes and goes with the time.
  const auto breach = [](const std::string& seed) {
    const std::string out = check("throws", "--seed " + seed).output;
    const std::size_t begin = out.find("BREACH"), end = out.find("\n\n", begin);
    REQUIRE(end != out.npos);
    return out.substr(begin, end - begin);
  };
  CHECK(breach("3") == breach("3"));
  CHECK(breach("3") != breach("4"));
}

TEST_CASE("a game that keeps the contract is described") {
  const Ran ran = tabula_program("check-game connect4 --playouts 20");
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  for (const char* part : {"keeps the contract: 20 playouts, seed 1", "random games/s", "branching",
                           "length", "% wins", "fingerprints  rules "})
    CHECK(contains(ran.output, part));
}

TEST_CASE("every shipped game keeps the contract") {
  for (const char* game :
       {"tictactoe", "connect4", "othello6", "othello8", "gomoku15", "hex7", "hex11",
        "breakthrough8", "go2", "go3", "go4", "go5", "go6", "go7", "go9", "pig100", "einstein"}) {
    const Ran ran = tabula_program(std::string("check-game ") + game + " --playouts 24");
    CAPTURE(ran.output);
    CHECK(ran.status == 0);
  }
}

TEST_CASE("check-game explains a user's mistakes in one line") {
  const auto one_line = [](const std::string& arguments, const std::string& part) {
    const Ran ran = tabula_program("check-game " + arguments);
    CAPTURE(ran.output);
    CHECK(ran.status == 1);
    CHECK(contains(ran.output, part));
    CHECK(std::ranges::count(ran.output, '\n') == 1);
  };
  one_line("conect4", "Did you mean connect4?");
  one_line("", "GAME is missing");
  one_line("connect4 --playouts 0", "must be at least 1");
  one_line("connect4 --playouts many", "playouts");
  one_line("connect4 --threads 100000", "--threads must be from 1 to 64");
  one_line("connect4 --config /tmp", "/tmp: cannot read this options file");
  one_line("connect4 --playout 3", "Did you mean --playouts?");
  one_line("/nowhere/nim.so", "there is no such file");
  one_line("connect4 tictactoe", "too many arguments");
}
