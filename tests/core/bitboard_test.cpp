#include "core/game/bitboard.h"

#include <doctest/doctest.h>

#include <set>

#include "core/base/rng.h"

using namespace tabula;

namespace {

template <int Rows, int Cols, int Down, int Right>
void check_shift(const std::set<int>& cells, const Bitboard<Rows, Cols>& board) {
  std::set<int> expected, seen;
  for (int cell : cells) {
    const int row = cell / Cols + Down, col = cell % Cols + Right;
    if (row >= 0 && row < Rows && col >= 0 && col < Cols) expected.insert(row * Cols + col);
  }
  board.template shifted<Down, Right>().each([&](int cell) { seen.insert(cell); });
  CHECK(seen == expected);
}

// Everything a Bitboard does, against a std::set.
template <int Rows, int Cols>
void check_board() {
  Rng rng(Rows * 100 + Cols);
  for (int round = 0; round < 50; ++round) {
    Bitboard<Rows, Cols> board;
    std::set<int> cells;
    for (int i = 0; i < Rows * Cols / 2; ++i) {
      const int cell = int(rng.below(Rows * Cols));
      board.set(cell);
      cells.insert(cell);
    }
    CHECK(board.count() == int(cells.size()));
    CHECK(board.any() == !cells.empty());
    if (!cells.empty()) CHECK(board.first() == *cells.begin());
    CHECK((~board).count() == Rows * Cols - board.count());
    CHECK(!(board & ~board).any());
    CHECK((board | ~board) == Bitboard<Rows, Cols>::all());
    CHECK((board ^ board) == Bitboard<Rows, Cols>());
    for (int cell = 0; cell < Rows * Cols; ++cell) CHECK(board.test(cell) == cells.contains(cell));
    check_shift<Rows, Cols, 1, 0>(cells, board);
    check_shift<Rows, Cols, -1, 0>(cells, board);
    check_shift<Rows, Cols, 0, 1>(cells, board);
    check_shift<Rows, Cols, 0, -1>(cells, board);
    check_shift<Rows, Cols, 1, 1>(cells, board);
    check_shift<Rows, Cols, 1, -1>(cells, board);
    check_shift<Rows, Cols, -1, 1>(cells, board);
    check_shift<Rows, Cols, -1, -1>(cells, board);
  }
}

}  // namespace

TEST_CASE("a bitboard is a set of cells whose edges are edges") {
  check_board<3, 3>();
  check_board<6, 7>();
  check_board<8, 8>();
  check_board<9, 9>();
  check_board<15, 15>();
  check_board<2, 40>();
  check_board<1, 1>();
}
