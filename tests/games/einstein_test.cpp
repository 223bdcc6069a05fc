#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/support.h"

using namespace tabula;

namespace {

int at(const State& state, std::string_view name) {
  return state.piece((5 - (name[1] - '0')) * 5 + name[0] - 'a');
}

// Player 0 has 1 2 3 / 4 5 / 6 from the corner on, player 1 the same seen from the other side.
const std::string setup = "a5 b5 c5 a4 b4 a3 e1 d1 c1 e2 d2 e3";

}  // namespace

TEST_CASE("chance sets up stones 1 to 6 on free cells of the home, all alike") {
  const Rules& rules = shipped("einstein");
  State state(rules);
  Rng rng(3);
  for (int stone = 0; stone < 12; ++stone) {
    const int player = stone / 6, left = 6 - stone % 6;
    CHECK(state.at_chance());
    const std::vector<Action> cells = state.legal();
    CHECK(int(cells.size()) == left);
    std::vector<float> odds(cells.size());
    state.odds(cells, odds);
    for (float p : odds) CHECK(p == doctest::Approx(1. / left));
    const Action cell = cells[rng.below(std::uint32_t(left))];
    state.apply(cell);
    CHECK(state.piece(cell) == (player ? -1 : 1) * (stone % 6 + 1));
  }
  CHECK(legal_text(State(rules)) == "a5 b5 c5 a4 b4 a3");
  CHECK(legal_text(after(rules, "a5 b5 c5 a4 b4 a3")) == "e3 d2 e2 c1 d1 e1");
  CHECK(legal_text(state) == "1 2 3 4 5 6");
  CHECK(after(rules, setup + " 1").turn() == 0);
}

TEST_CASE("the die names the stone, which steps towards the opposite corner") {
  const Rules& rules = shipped("einstein");
  CHECK(legal_text(after(rules, setup + " 6")) == "a3-b3 a3-a2 a3-b2");
  const State moved = after(rules, setup + " 6 a3-b3");
  CHECK(at(moved, "a3") == 0);
  CHECK(at(moved, "b3") == 6);
  CHECK(moved.at_chance());
  // Player 1 goes left, up and diagonally: in his eyes right, down and diagonally.
  CHECK(legal_text(after(rules, setup + " 6 a3-b3 3")) == "c1-b1 c1-c2 c1-b2");
  CHECK(after(rules, setup + " 6 a3-b3 3").turn() == 1);
  CHECK(legal_text(after(rules, setup + " 6 a3-b3 6 e3-e4 6 b3-c3 6")) == "e4-d4 e4-e5 e4-d5");
  CHECK(legal_text(after(rules, setup + " 6 a3-b3 6 e3-e4 6 b3-c3 6 e4-e5 1 a5-b4 6")) ==
        "e5-d5");  // at the edge
}

TEST_CASE("a step takes whatever stands on its cell, also one's own stone") {
  const Rules& rules = shipped("einstein");
  const State own = after(rules, setup + " 1 a5-b4");
  CHECK(at(own, "b4") == 1);
  for (int cell = 0; cell < 25; ++cell) CHECK(own.piece(cell) != 5);
  const State taken = after(rules, setup + " 6 a3-b2 3 c1-b2");
  CHECK(at(taken, "b2") == -3);
  for (int cell = 0; cell < 25; ++cell) CHECK(taken.piece(cell) != 6);
}

TEST_CASE("for a stone that is gone the nearest above and below it may step") {
  const Rules& rules = shipped("einstein");
  const std::string no_5 = setup + " 2 b5-b4 6 e3-d3";  // 2 took it
  CHECK(legal_text(after(rules, no_5 + " 5")) == "a4-b4 a3-b3 a4-a3 a3-a2 a4-b3 a3-b2");
  CHECK(legal_text(after(rules, no_5 + " 4")) == "a4-b4 a4-a3 a4-b3");
  const std::string no_5_6 = no_5 + " 4 a4-a3 6 d3-c3";
  for (const char* die : {" 4", " 5", " 6"})
    CHECK(legal_text(after(rules, no_5_6 + die)) == "a3-b3 a3-a2 a3-b2");
  const std::string only_3_4 = no_5_6 + " 1 a5-b4 6 c3-b4";  // 1 took 2, and was taken
  for (const char* die : {" 1", " 2", " 3"})
    CHECK(legal_text(after(rules, only_3_4 + die)) == "c5-d5 c5-c4 c5-d4");
}

TEST_CASE("the opposite corner wins at once") {
  const Rules& rules = shipped("einstein");
  const State first = after(rules, setup + " 5 b4-c3 4 e2-e3 5 c3-d2 4 e3-e4 5 d2-e1");
  CHECK(first.over());
  CHECK(first.result() == 1);
  const State second = after(rules, setup + " 4 a4-a3 5 d2-c3 4 a3-a2 5 c3-b4 4 a2-a1 5 b4-a5");
  CHECK(second.over());
  CHECK(second.result() == -1);
}

TEST_CASE("who has no stones left has lost") {
  const Rules& rules = shipped("einstein");
  // Player 1 takes five of his own stones, and player 0 the sixth.
  const State state =
      after(rules, setup +
                       " 6 a3-a2 1 e1-d1 6 a2-a1 1 d1-c1 3 c5-d5 4 e2-d2 3 d5-e5 4 d2-d3 4 a4-a3 "
                       "6 e3-d3 4 a3-a2 1 c1-c2 2 b5-c5 1 c2-c3 2 c5-d5 6 d3-c3 5 b4-c3");
  CHECK(state.over());
  CHECK(state.result() == 1);
}

TEST_CASE("a player always has a move, and games end within the proven bound") {
  const Rules& rules = shipped("einstein");
  Playout playout(rules);
  Rng rng(4);
  std::set<int> results;
  for (int game = 0; game < 5000; ++game) {
    State state(rules);
    while (!state.over()) {
      REQUIRE(!playout.legal(state).empty());
      state.apply(playout.draw(state, rng));
    }
    REQUIRE(state.ply() < rules.table().max_plies);
    results.insert(state.result());
  }
  CHECK(results == std::set{-1, 1});
}
