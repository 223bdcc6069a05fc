#include <doctest/doctest.h>

#include "core/game/perft.h"
#include "tests/support.h"

using namespace tabula;

TEST_CASE("tictactoe has 255,168 games") {
  const Perft all = perft(State(shipped("tictactoe")), 9);
  CHECK(all.sequences + all.ended == 255168);
}

TEST_CASE("tictactoe's lines win for whoever has them") {
  const Rules& rules = shipped("tictactoe");
  CHECK(after(rules, "a1 b1 a2 b2 a3").result() == 1);
  CHECK(after(rules, "a1 b1 a2 b2 c3 b3").result() == -1);
  CHECK(after(rules, "a1 b2 c3 a3 c1 b1 b3 c2 a2").result() == 0);
}
