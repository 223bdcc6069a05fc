#include <bit>

#include "core/game/game.h"

namespace {
using namespace tabula;

// Three in a row on three by three.
struct TicTacToe : Game<TicTacToe> {
  static constexpr auto name = "tictactoe";
  static constexpr int actions = 9, planes = 2, rows = 3, cols = 3, max_plies = 9;
  static constexpr int action_planes = 1;
  static constexpr auto symmetry = Symmetry::square;

  std::uint16_t stones[2] = {};  // bit i is cell i

  static bool has_line(unsigned mask) {
    for (unsigned line : {0007u, 0070u, 0700u, 0111u, 0222u, 0444u, 0421u, 0124u})
      if ((mask & line) == line) return true;
    return false;
  }
  unsigned occupied() const { return unsigned(stones[0] | stones[1]); }
  int mover() const { return std::popcount(occupied()) & 1; }

  int turn() const {
    const bool ended = has_line(stones[mover() ^ 1]) || occupied() == 0777;
    return ended ? over : mover();
  }
  void legal(Actions& out) const {
    for (unsigned free = ~occupied() & 0777; free; free &= free - 1)
      out.add(std::countr_zero(free));
  }
  void apply(Action a) { stones[mover()] |= std::uint16_t(1u << a); }
  int result() const { return has_line(stones[0]) - has_line(stones[1]); }
  void encode(Planes out) const {
    for (int side = 0; side < 2; ++side)
      for (int cell = 0; cell < 9; ++cell)
        out(side, cell) = float(stones[side ^ mover()] >> cell & 1);
  }
  int piece(int cell) const { return (stones[0] >> cell & 1) - (stones[1] >> cell & 1); }
};

}  // namespace

TABULA_GAMES(TicTacToe)
