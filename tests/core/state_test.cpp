#include "core/game/state.h"

#include <doctest/doctest.h>

#include "core/game/perft.h"
#include "tests/allocations.h"
#include "tests/support.h"

using namespace tabula;

namespace {
const char* const kGames[] = {"tictactoe", "connect4", "othello6", "othello8",
                              "gomoku15",  "hex7",     "hex11",    "breakthrough8",
                              "go5",       "go9",      "pig100",   "einstein"};
}  // namespace

TEST_CASE("playing, copying and encoding allocate nothing") {
  for (const char* name : kGames) {
    const Rules& rules = shipped(name);
    CAPTURE(name);
    Playout playout(rules);
    Rng rng(1);
    const State start(rules);
    State state = start, copy = start;
    std::vector<float> planes(std::size_t(rules.plane_floats()));
    const long before = allocations;
    for (int i = 0; i < 20; ++i) {
      for (state = start; !state.over(); state.apply(playout.draw(state, rng))) {
        copy = state;
        if (!state.at_chance()) state.encode(planes);
        if (state.hash() == 0) continue;
      }
    }
    CHECK(allocations == before);
  }
  const long before = allocations;
  int* volatile counted = new int;  // and the count does count
  delete counted;
  CHECK(allocations == before + 1);
}

TEST_CASE("a state is a value: copies go their own way, moves carry it along") {
  for (const char* name : {"connect4", "go9"}) {  // one lives inside the State, one on the heap
    const Rules& rules = shipped(name);
    CAPTURE(name);
    State a(rules);
    a.apply(3);
    State b = a;
    CHECK(a == b);
    CHECK(a.hash() == b.hash());
    b.apply(4);
    CHECK(!(a == b));
    CHECK(a.ply() == 1);
    State c = std::move(b);
    CHECK(c.ply() == 2);
    b = a;  // a moved-from state can be assigned to
    CHECK(b == a);
    b = c;
    CHECK(b == c);
    a = State(shipped("pig100"));  // another game altogether
    CHECK(a.rules().name() == "pig100");
  }
}

TEST_CASE("states honour the alignment that a game asks for") {
  for (const char* name : kGames) {
    const State state(shipped(name));
    CHECK(reinterpret_cast<std::uintptr_t>(state.state_bytes().data()) %
              shipped(name).table().state_align ==
          0);
  }
}

TEST_CASE("the engine stops a game at max_plies and asks who is ahead") {
  const Rules& rules = shipped("pig100");
  State state(rules);
  while (state.ply() < rules.table().max_plies) {
    CHECK(!state.over());
    state.apply(state.legal().front());  // hold, for ever
  }
  CHECK(state.over());
  CHECK(state.result() == 0);
}

TEST_CASE("parse() finds legal moves only, by name") {
  const State state = after(shipped("connect4"), "1 1 1 1 1 1");
  CHECK(state.parse("2") == Action(1));
  CHECK(!state.parse("1"));  // full
  CHECK(!state.parse("8"));
  CHECK(!state.parse(""));
  CHECK_THROWS_WITH_AS(after(shipped("connect4"), "1 9"),
                       "move 2, '9', is not legal in connect4; legal are: 1 2 3 4 5 6 7", Error);
  CHECK_THROWS_WITH_AS(after(shipped("tictactoe"), "a1 b1 a2 b2 a3 b3"),
                       "move 6, 'b3', comes after the end of the game.", Error);
}

TEST_CASE("an exception in a game reaches the engine as an error that names game and method") {
  const RulesPtr rules = load_plugin(TABULA_BUILD "/tests/wrong_games/throws.so").front();
  State state(*rules);
  state.apply(0);
  state.apply(1);
  CHECK_THROWS_WITH_AS(state.apply(2), "throws: apply() failed: no more matches", GameError);
}

TEST_CASE("an error during a count or a replay says which moves led to it") {
  const RulesPtr rules = load_plugin(TABULA_BUILD "/tests/wrong_games/throws.so").front();
  CHECK_THROWS_WITH_AS(after(*rules, "a2 b2 c2"), doctest::Contains("after a2 b2 c2"), GameError);
  CHECK_THROWS_WITH_AS(perft(State(*rules), 5), doctest::Contains("after a2 b2 c2"), GameError);
}
