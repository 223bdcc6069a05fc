#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support.h"

using namespace tabula;

namespace {

constexpr int kSide = 15;

// +1 or -1 for whoever has five in a row anywhere, 0 for nobody; looks at the whole board.
int slow_winner(const State& state) {
  const auto at = [&](int row, int col) {
    const bool inside = row >= 0 && row < kSide && col >= 0 && col < kSide;
    return inside ? state.piece(row * kSide + col) : 0;
  };
  const int steps[][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
  for (int row = 0; row < kSide; ++row)
    for (int col = 0; col < kSide; ++col)
      for (auto [down, right] : steps) {
        int sum = 0;
        for (int i = 0; i < 5; ++i) sum += at(row + i * down, col + i * right);
        if (sum == 5 || sum == -5) return sum / 5;
      }
  return 0;
}

// Two lists of cells, played in turn.
State played(const std::vector<Action>& first, const std::vector<Action>& second) {
  State state(shipped("gomoku15"));
  for (std::size_t i = 0; i < first.size() && !state.over(); ++i) {
    state.apply(first[i]);
    if (i < second.size()) state.apply(second[i]);
  }
  return state;
}

}  // namespace

TEST_CASE("a game of gomoku ends with the first five, for its owner") {
  const Rules& rules = shipped("gomoku15");
  Playout playout(rules);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    Rng rng(seed);
    State state(rules);
    while (!state.over()) {
      REQUIRE(slow_winner(state) == 0);
      state.apply(playout.draw(state, rng));
    }
    CHECK(state.result() == slow_winner(state));
  }
}

TEST_CASE("five stones at equal steps win just where they do not run around an edge") {
  int wins = 0;
  for (int step : {1, kSide - 1, kSide, kSide + 1})
    for (int start = 0; start + 4 * step < kSide * kSide; ++start) {
      std::vector<Action> five, elsewhere;
      for (int i : {0, 1, 4, 3, 2}) five.push_back(start + i * step);  // the last one in the middle
      for (Action a = 0; elsewhere.size() < 4; ++a)
        if (!std::ranges::count(five, a)) elsewhere.push_back(a);
      const State state = played(five, elsewhere);
      CAPTURE(state.board());
      REQUIRE(state.over() == (slow_winner(state) == 1));
      wins += state.over();
    }
  CHECK(wins == 2 * 15 * 11 + 2 * 11 * 11);
}

TEST_CASE("gomoku is won along a row, along a column and on both diagonals, by either side") {
  const Rules& rules = shipped("gomoku15");
  for (const char* won : {"a1 a9 b1 b9 c1 c9 d1 d9 e1", "o11 a9 o12 b9 o13 c9 o14 d9 o15",
                          "f6 a9 g7 b9 h8 c9 i9 d9 j10", "f10 a9 g9 b9 h8 c9 i7 d9 j6"}) {
    CAPTURE(won);
    CHECK(after(rules, won).over());
    CHECK(after(rules, won).result() == 1);
  }
  CHECK(after(rules, "o1 a9 b1 b9 c1 c9 d1 d9 m1 e9").result() == -1);
}

TEST_CASE("six in a row win too") {
  const State state = after(shipped("gomoku15"), "a1 a9 b1 c9 c1 e9 e1 g9 f1 i9 d1");
  CHECK(state.over());
  CHECK(state.result() == 1);
}

TEST_CASE("gomoku is not won around the edge of the board") {
  const Rules& rules = shipped("gomoku15");
  CHECK(!after(rules, "m2 a9 n2 c9 o2 e9 a1 g9 b1").over());
  CHECK(!after(rules, "c5 a9 b4 c9 a3 e9 o2 g9 n1").over());
}

TEST_CASE("a full board without five in a row is a draw") {
  std::vector<Action> stones[2];  // pairs along the rows, moved on by two from row to row
  for (int row = 0; row < kSide; ++row)
    for (int col = 0; col < kSide; ++col)
      stones[(col + 2 * row) / 2 % 2].push_back(row * kSide + col);
  const State state = played(stones[0], stones[1]);
  CHECK(state.ply() == kSide * kSide);
  CHECK(state.rules().table().turn(state.state_bytes().data()) == over);  // not only by max_plies
  CHECK(state.result() == 0);
}
