#include "core/game/bitboard.h"
#include "core/game/game.h"

namespace {
using namespace tabula;

// Five or more in a row on fifteen by fifteen, without forbidden moves.
struct Gomoku : Game<Gomoku> {
  static constexpr auto name = "gomoku15";
  static constexpr int rows = 15, cols = 15, actions = rows * cols, max_plies = actions, planes = 2;
  static constexpr int action_planes = 1;
  static constexpr auto symmetry = Symmetry::square;

  Bitboard<rows, cols> stones[2];
  std::uint32_t moves = 0;
  std::uint32_t won = 0;  // the last mover has five in a row

  int mover() const { return int(moves & 1); }
  // How many stones of the mover follow one another from the cell, itself left out.
  int run(int cell, int down, int right) const {
    int row = cell / cols + down, col = cell % cols + right, length = 0;
    while (row >= 0 && row < rows && col >= 0 && col < cols &&
           stones[mover()].test(row * cols + col)) {
      row += down, col += right, ++length;
    }
    return length;
  }
  bool in_line(int cell, int down, int right) const {
    return run(cell, down, right) + run(cell, -down, -right) >= 4;
  }

  int turn() const { return won || moves == max_plies ? over : mover(); }
  void legal(Actions& out) const {
    (~(stones[0] | stones[1])).each([&](int cell) { out.add(cell); });
  }
  void apply(Action a) {
    won = in_line(a, 0, 1) || in_line(a, 1, 0) || in_line(a, 1, 1) || in_line(a, 1, -1);
    stones[mover()].set(a);
    ++moves;
  }
  int result() const { return !won ? 0 : mover() == 1 ? 1 : -1; }
  void encode(Planes out) const {
    out.set(0, stones[mover()]);
    out.set(1, stones[mover() ^ 1]);
  }

  int piece(int cell) const { return stones[0].test(cell) - stones[1].test(cell); }
};

}  // namespace

TABULA_GAMES(Gomoku)
