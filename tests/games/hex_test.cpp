#include <doctest/doctest.h>

#include <cstdlib>

#include "tests/support.h"

using namespace tabula;

namespace {

// Whether +1 has linked top and bottom, or -1 left and right; a walk over the cells of the board.
bool slowly_linked(const State& state, int side) {
  const int n = state.rules().table().rows;
  const int steps[][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {-1, 1}, {1, -1}};
  std::vector<bool> seen(std::size_t(n * n), false);
  std::vector<int> open;
  const auto visit = [&](int row, int col) {
    if (row < 0 || row >= n || col < 0 || col >= n) return;
    const int cell = row * n + col;
    if (seen[std::size_t(cell)] || state.piece(cell) != side) return;
    seen[std::size_t(cell)] = true;
    open.push_back(cell);
  };
  for (int i = 0; i < n; ++i) side > 0 ? visit(0, i) : visit(i, 0);
  while (!open.empty()) {
    const int row = open.back() / n, col = open.back() % n;
    open.pop_back();
    if ((side > 0 ? row : col) == n - 1) return true;
    for (auto [down, right] : steps) visit(row + down, col + right);
  }
  return false;
}

}  // namespace

TEST_CASE("hex is over as soon as a side is linked, and never a draw") {
  struct Plan {
    const char* name;
    std::uint64_t games;
  };
  for (const Plan& plan : {Plan{"hex7", 3000}, Plan{"hex11", 100}}) {
    const Rules& rules = shipped(plan.name);
    Playout playout(rules);
    int wins[2] = {};
    for (std::uint64_t seed = 0; seed < plan.games; ++seed) {
      CAPTURE(plan.name);
      CAPTURE(seed);
      Rng rng(seed);
      State state(rules);
      while (!state.over()) {
        state.apply(playout.draw(state, rng));
        const int last = state.ply() % 2 ? 1 : -1;
        REQUIRE(state.over() == slowly_linked(state, last));
      }
      const int result = state.result();
      REQUIRE(std::abs(result) == 1);
      REQUIRE(slowly_linked(state, result));
      ++wins[result > 0];
    }
    CHECK(wins[0] > 0);
    CHECK(wins[1] > 0);
  }
}

TEST_CASE("in hex the first player links top and bottom, the second left and right") {
  const Rules& rules = shipped("hex7");
  const State down = after(rules, "d7 a7 d6 a6 d5 a5 d4 a4 d3 a3 d2 a2 d1");
  CHECK(down.over());
  CHECK(down.result() == 1);
  const State across = after(rules, "a7 a4 b7 b4 c7 c4 d7 d4 e7 e4 f7 f4 a1 g4");
  CHECK(across.over());
  CHECK(across.result() == -1);
  CHECK(!after(rules, "a4 a7 b4 b7 c4 c7 d4 d7 e4 e7 f4 f7 g4 a1").over());  // edges of the other
}

TEST_CASE("a cell of hex touches the one below to its left, not the one below to its right") {
  const Rules& rules = shipped("hex7");
  CHECK(after(rules, "g7 a7 f6 a6 e5 a5 d4 a4 c3 a3 b2 a2 a1").over());
  CHECK(!after(rules, "a7 b7 b6 c7 c5 d7 d4 e7 e3 f7 f2 g7 g1").over());
}

TEST_CASE("the second player's actions in hex are mirrored, their names and cells are not") {
  const State state = after(shipped("hex7"), "b7");
  CHECK(state.turn() == 1);
  CHECK(state.text(2) == "a5");  // c7 as the mover sees it
  CHECK(state.touched(2) == std::vector{14});
  CHECK(!state.parse("b7"));
  CHECK(*state.parse("c7") == 14);
  const State next = after(shipped("hex7"), "b7 a5");
  CHECK(next.piece(1) == 1);
  CHECK(next.piece(14) == -1);

  std::vector<float> planes(2 * 49), expected(2 * 49);
  state.encode(planes);
  expected[49 + 7] = 1;  // the opponent's b7, seen as a6
  CHECK(planes == expected);
}

TEST_CASE("hex shows its board slanted") {
  CHECK(after(shipped("hex7"), "b7 a5").board() ==
        " 7 . X . . . . .\n"
        "  6 . . . . . . .\n"
        "   5 O . . . . . .\n"
        "    4 . . . . . . .\n"
        "     3 . . . . . . .\n"
        "      2 . . . . . . .\n"
        "       1 . . . . . . .\n"
        "          a b c d e f g\n");
}
