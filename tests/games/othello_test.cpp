#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "core/game/perft.h"
#include "tests/support.h"

using namespace tabula;

namespace {

struct Direction {
  int down, right;
};
constexpr Direction kDirections[] = {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1},
                                     {0, 1},   {1, -1}, {1, 0},  {1, 1}};

// The cells that the mover's disc would turn over in one direction, found by walking there.
std::vector<int> turned(const State& state, int cell, Direction step) {
  const int n = state.rules().table().rows, own = state.turn() == 0 ? 1 : -1;
  std::vector<int> run;
  int row = cell / n + step.down, col = cell % n + step.right;
  for (; row >= 0 && row < n && col >= 0 && col < n; row += step.down, col += step.right) {
    const int piece = state.piece(row * n + col);
    if (piece == own) return run;
    if (piece == 0) return {};
    run.push_back(row * n + col);
  }
  return {};
}

std::vector<int> pieces(const State& state) {
  std::vector<int> pieces;
  for (int cell = 0; cell < state.rules().cells(); ++cell) pieces.push_back(state.piece(cell));
  return pieces;
}

// The board after the mover's disc on `cell`; as it was, if that turns nothing over.
std::vector<int> slowly_after(const State& state, int cell) {
  std::vector<int> board = pieces(state);
  const int own = state.turn() == 0 ? 1 : -1;
  bool turns = false;
  for (Direction step : kDirections)
    for (int disc : turned(state, cell, step)) board[std::size_t(disc)] = own, turns = true;
  if (turns) board[std::size_t(cell)] = own;
  return board;
}

std::vector<Action> slowly_legal(const State& state) {
  std::vector<Action> legal;
  for (int cell = 0; cell < state.rules().cells(); ++cell)
    if (state.piece(cell) == 0 && slowly_after(state, cell) != pieces(state)) legal.push_back(cell);
  if (legal.empty()) legal.push_back(state.rules().cells());
  return legal;
}

}  // namespace

TEST_CASE("othello8 has the published number of move sequences") {
  const std::uint64_t counts[] = {4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288};
  for (int depth = 1; depth <= 9; ++depth)
    CHECK(perft(State(shipped("othello8")), depth).sequences == counts[depth - 1]);
}

TEST_CASE("othello's moves are those that turn discs over, and turn them over in all directions") {
  for (const char* name : {"othello6", "othello8"}) {
    const Rules& rules = shipped(name);
    Playout playout(rules);
    std::set<int> seen;  // directions
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      Rng rng(seed);
      CAPTURE(name);
      CAPTURE(seed);
      for (State state(rules); !state.over();) {
        REQUIRE(state.legal() == slowly_legal(state));
        const Action action = playout.draw(state, rng);
        if (action == rules.cells()) {
          state.apply(action);
          continue;
        }
        for (int i = 0; i < 8; ++i)
          if (!turned(state, action, kDirections[i]).empty()) seen.insert(i);
        const std::vector<int> expected = slowly_after(state, action);
        state.apply(action);
        REQUIRE(pieces(state) == expected);
      }
    }
    CHECK(seen.size() == 8);
  }
}

TEST_CASE("the final planes of othello are the owners of the cells, whose majority wins") {
  const Rules& rules = shipped("othello8");
  Playout playout(rules);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    Rng rng(seed);
    State state(rules);
    playout.finish(state, rng);
    std::vector<float> owners(64), others(64);
    state.encode_final(0, owners);
    state.encode_final(1, others);
    int ahead = 0;
    for (int cell = 0; cell < 64; ++cell) {
      CHECK(owners[std::size_t(cell)] == float(state.piece(cell)));
      CHECK(others[std::size_t(cell)] == float(-state.piece(cell)));
      ahead += state.piece(cell);
    }
    CHECK(state.result() == (ahead > 0) - (ahead < 0));
  }
}

TEST_CASE("othello starts crossed in the middle, on both sizes") {
  CHECK(legal_text(State(shipped("othello8"))) == "e6 f5 c4 d3");
  CHECK(legal_text(State(shipped("othello6"))) == "d5 e4 b3 c2");
}

TEST_CASE("who cannot move in othello has to pass, and only then") {
  const Rules& rules = shipped("othello8");
  const State stuck = after(rules, "e6 f6 d3 e7 e8 d8 g7 f8");
  CHECK(stuck.turn() == 0);
  CHECK(legal_text(stuck) == "pass");
  const State passed = after(rules, "e6 f6 d3 e7 e8 d8 g7 f8 pass");
  CHECK(passed.turn() == 1);
  CHECK(pieces(passed) == pieces(stuck));
  CHECK(!passed.parse("pass"));
  CHECK(!State(rules).parse("pass"));
}

TEST_CASE("othello is over before the board is full when neither side can move") {
  const State state = after(shipped("othello8"), "f5 f4 f3 g4 h3 e6 d7 f6 c4 c8 f7 g7 h8");
  CHECK(state.over());
  CHECK(state.result() == 1);
  CHECK(std::ranges::count(pieces(state), 1) == 15);
  CHECK(std::ranges::count(pieces(state), -1) == 2);
}

TEST_CASE("losing all discs loses othello: the shortest wipe-out, thirteen to nothing") {
  const State state = after(shipped("othello8"), "e6 f4 e3 f6 g5 d6 e7 f5 c5");
  CHECK(state.over());
  CHECK(state.result() == 1);
  CHECK(std::ranges::count(pieces(state), 1) == 13);
  CHECK(std::ranges::count(pieces(state), -1) == 0);
}
