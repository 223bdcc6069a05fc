#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "core/game/perft.h"
#include "tests/support.h"

using namespace tabula;

namespace {

// The rules once more, slowly: rows from the bottom, +1 moves up and -1 down.
struct SlowBoard {
  int at[8][8] = {};
  int side = 1;

  struct Move {
    int row, col, to_row, to_col;
  };

  SlowBoard() {
    for (int col = 0; col < 8; ++col) {
      at[0][col] = at[1][col] = 1;
      at[6][col] = at[7][col] = -1;
    }
  }
  std::vector<Move> moves() const {
    std::vector<Move> moves;
    for (int row = 0; row < 8; ++row)
      for (int col = 0; col < 8; ++col)
        for (int to = col - 1; to <= col + 1; ++to) {
          const int to_row = row + side;
          if (at[row][col] != side || to < 0 || to > 7 || to_row < 0 || to_row > 7) continue;
          const int target = at[to_row][to];
          if (target == 0 || (target == -side && to != col))
            moves.push_back({row, col, to_row, to});
        }
    return moves;
  }
  std::string text(Move m) const {
    const auto name = [](int row, int col) { return char('a' + col) + std::to_string(row + 1); };
    return name(m.row, m.col) + (at[m.to_row][m.to_col] ? "x" : "-") + name(m.to_row, m.to_col);
  }
  void apply(Move m) {
    at[m.to_row][m.to_col] = side;
    at[m.row][m.col] = 0;
    side = -side;
  }
  int count(int piece) const {
    int count = 0;
    for (const auto& row : at) count += int(std::ranges::count(row, piece));
    return count;
  }
  int winner() const {
    if (std::ranges::count(at[7], 1) || count(-1) == 0) return 1;
    if (std::ranges::count(at[0], -1) || count(1) == 0) return -1;
    return 0;
  }
};

std::uint64_t slow_perft(const SlowBoard& board, int depth) {
  if (depth == 0) return 1;
  if (board.winner()) return 0;
  std::uint64_t count = 0;
  for (auto move : board.moves()) {
    SlowBoard next = board;
    next.apply(move);
    count += slow_perft(next, depth - 1);
  }
  return count;
}

// Taste in moves that lets the first player capture everything: it takes, the second player does
// not, and nobody runs for the far row.
int taste(const SlowBoard& board, SlowBoard::Move m) {
  const bool takes = board.at[m.to_row][m.to_col] != 0;
  const bool ends = m.to_row == 0 || m.to_row == 7;
  return (ends ? -2 : 0) + (takes == (board.side > 0) ? 1 : 0);
}

// Plays a random game beside a slow one, move by move; returns what is left of it.
SlowBoard compare_game(Rng& rng, bool by_taste) {
  State state(shipped("breakthrough8"));
  SlowBoard board;
  while (!state.over()) {
    REQUIRE(board.winner() == 0);
    REQUIRE(state.turn() == (board.side > 0 ? 0 : 1));
    auto moves = board.moves();
    std::set<std::string> expected, names;
    for (auto move : moves) expected.insert(board.text(move));
    for (Action action : state.legal()) names.insert(state.text(action));
    REQUIRE(names == expected);
    if (by_taste) {
      int best = -2;
      for (auto move : moves) best = std::max(best, taste(board, move));
      std::erase_if(moves, [&](auto move) { return taste(board, move) < best; });
    }
    const auto move = moves[rng.below(std::uint32_t(moves.size()))];
    state.apply(*state.parse(board.text(move)));
    board.apply(move);
    for (int cell = 0; cell < 64; ++cell)
      REQUIRE(state.piece(cell) == board.at[7 - cell / 8][cell % 8]);
  }
  REQUIRE(board.winner() == state.result());
  return board;
}

}  // namespace

TEST_CASE("breakthrough8 has the published number of move sequences") {
  const std::uint64_t counts[] = {22, 484, 11132, 256036};
  for (int depth = 1; depth <= 4; ++depth) {
    CHECK(perft(State(shipped("breakthrough8")), depth).sequences == counts[depth - 1]);
    CHECK(slow_perft(SlowBoard(), depth) == counts[depth - 1]);
  }
}

TEST_CASE("breakthrough agrees with a slow board in random games, whichever way they end") {
  int wins[2] = {}, captured = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    Rng rng(seed);
    ++wins[compare_game(rng, false).winner() > 0];
    captured += compare_game(rng, true).count(-1) == 0;
  }
  CHECK(wins[0] > 0);
  CHECK(wins[1] > 0);
  CHECK(captured > 0);
}

TEST_CASE("breakthrough captures slantwise only, and a piece ahead blocks") {
  const Rules& rules = shipped("breakthrough8");
  const State state = after(rules, "d2-d3 e7-e6 d3-d4 e6-e5 a2-a3 d7-d6 a3-a4 d6-d5");
  CHECK(!state.parse("d4-d5"));
  CHECK(!state.parse("d4xd5"));
  CHECK(state.parse("d4xe5"));
  CHECK(state.parse("d4-c5"));
  const State taken = after(rules, "d2-d3 e7-e6 d3-d4 e6-e5 d4xe5");
  CHECK(taken.piece(3 * 8 + 4) == 1);
  CHECK(taken.piece(4 * 8 + 3) == 0);
}

TEST_CASE("a move of breakthrough touches where it leaves and where it arrives") {
  const State first(shipped("breakthrough8"));
  CHECK(first.touched(*first.parse("a2-b3")) == std::vector{48, 41});
  const State second = after(shipped("breakthrough8"), "a2-b3");
  CHECK(second.touched(*second.parse("a7-b6")) == std::vector{8, 17});
  CHECK(*second.parse("a7-b6") == *first.parse("a2-b3"));  // the same, as the mover sees it
}

TEST_CASE("in the mirror a step to the left is one to the right") {
  for (const char* moves : {"", "c2-c3"}) {
    const State state = after(shipped("breakthrough8"), moves);
    const char* first = state.turn() == 0 ? "a2-b3" : "a7-b6";
    const char* image = state.turn() == 0 ? "h2-g3" : "h7-g6";
    CHECK(state.text(state.rules().map_action(1, *state.parse(first))) == image);
  }
}

TEST_CASE("reaching the far row wins breakthrough, for either side") {
  const Rules& rules = shipped("breakthrough8");
  const State up =
      after(rules, "a2-a3 h7-h6 a3-a4 h6-h5 a4-a5 h5-h4 a5-a6 h4-h3 a6xb7 h3xg2 b7xa8");
  CHECK(up.over());
  CHECK(up.result() == 1);
  const State down =
      after(rules, "a2-a3 h7-h6 a3-a4 h6-h5 a4-a5 h5-h4 a5-a6 h4-h3 b1-a2 h3xg2 a2-a3 g2xh1");
  CHECK(down.over());
  CHECK(down.result() == -1);
}
