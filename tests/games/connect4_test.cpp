#include <doctest/doctest.h>

#include "core/game/perft.h"
#include "tests/support.h"

using namespace tabula;

TEST_CASE("connect4 has the published number of move sequences") {
  const std::uint64_t counts[] = {7, 49, 343, 2401, 16807, 117649, 823536, 5673234};
  for (int depth = 1; depth <= 8; ++depth)
    CHECK(perft(State(shipped("connect4")), depth).sequences == counts[depth - 1]);
}

TEST_CASE("a full column is not a move, and a stone falls on the ones below it") {
  const State state = after(shipped("connect4"), "1 1 1 1 1 1");
  CHECK(legal_text(state) == "2 3 4 5 6 7");
  CHECK(state.piece(0) == -1);     // a6, the sixth stone
  CHECK(state.piece(5 * 7) == 1);  // a1, the first
  CHECK(after(shipped("connect4"), "1").touched(0) == std::vector{4 * 7});
}

TEST_CASE("four in a row wins upwards, sideways and on both diagonals, but not around an edge") {
  const Rules& rules = shipped("connect4");
  for (const char* won :
       {"1 2 1 2 1 2 1", "1 1 2 2 3 3 4", "1 2 2 3 3 4 3 4 4 6 4", "7 6 6 5 5 4 5 4 4 2 4"}) {
    CAPTURE(won);
    CHECK(after(rules, won).over());
    CHECK(after(rules, won).result() == 1);
  }
  CHECK(after(rules, "7 1 2 1 2 1 3 1").result() == -1);
  CHECK(!after(rules, "5 5 6 6 7 7 1").over());  // e1 f1 g1 a1
}

TEST_CASE("a full board without a line is a draw") {
  const State state = after(shipped("connect4"),
                            "1 2 1 2 1 2 2 1 2 1 2 1 3 4 3 4 3 4 4 3 4 3 4 3 5 6 5 6 5 6 6 5 6 5 6 "
                            "5 7 7 7 7 7 7");
  CHECK(state.over());
  CHECK(state.ply() == 42);
  CHECK(state.result() == 0);
}
