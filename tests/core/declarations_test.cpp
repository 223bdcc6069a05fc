// What the compiler tells an author whose game cannot be.
#include <doctest/doctest.h>

#include "core/game/names.h"
#include "tests/run.h"

using namespace tabula;

namespace {

std::string compiler_says(const std::string& options) {
  const Ran ran = run(TABULA_COMPILER " -std=c++20 -fsyntax-only -I" TABULA_SOURCE " " + options +
                      " " TABULA_SOURCE "/tests/refused/beyond_limits.cpp");
  CHECK(ran.status == 1);
  return ran.output;
}

}  // namespace

TEST_CASE("numbers that the loader would refuse do not compile, and the message says the limit") {
  const std::string high = compiler_says(""), low = compiler_says("-DLOW");
  CAPTURE(high);
  CAPTURE(low);
  for (const char* both :
       {"the game's name must be 1 to 32 characters", "actions must be from 1 to 65536",
        "outcomes must be from 0 to 4096", "max_plies must be from 1 to 1048576",
        "planes must be from 1 to 1024", "rows must be from 1 to 256", "cols must be from 1 to 256",
        "planes * rows * cols must be from 1 to 4194304", "final_planes must be from 0 to 1024"}) {
    CAPTURE(both);
    CHECK(contains(high, both));
    CHECK(contains(low, both));
  }
  CHECK(contains(high, "the size of a position in bytes must be from 1 to 1048576"));
  CHECK(contains(high, "the alignment of a position must be from 1 to 64"));
  CHECK(contains(high, "final_planes * rows * cols must be from 0 to 4194304"));
  CHECK(contains(low, "action_planes must be from 0 to 65536"));
}

TEST_CASE("a game's name has one rule") {
  for (const char* name : {"nim", "go9", "2048", "tic-tac-toe", "a_b"}) CHECK(is_game_name(name));
  for (const char* name : {"", "Nim", "-nim", "_nim", "a b", "../nim", "n\xc3\xb6"})
    CHECK(!is_game_name(name));
  CHECK(is_game_name(std::string(kLongestName, 'a')));
  CHECK(!is_game_name(std::string(kLongestName + 1, 'a')));
}

TEST_CASE("a cell is called by letter and number, beyond the alphabet by row and column") {
  CHECK(cell_text(6, 7, 0) == "a6");
  CHECK(cell_text(6, 7, 41) == "g1");
  CHECK(cell_text(3, 30, 29) == "r3c30");
}
