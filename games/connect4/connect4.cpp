#include <bit>

#include "core/game/game.h"

namespace {
using namespace tabula;

// Four in a row on seven columns of six; stones fall.
struct Connect4 : Game<Connect4> {
  static constexpr auto name = "connect4";
  static constexpr int actions = 7, planes = 2, rows = 6, cols = 7, max_plies = 42;
  static constexpr auto symmetry = Symmetry::mirror;  // an action is a column

  // Bit col * 7 + height, height 0 at the bottom; the seventh bit of a column stays empty, so that
  // lines cannot run over its top.
  std::uint64_t stones[2] = {};
  std::uint32_t moves = 0;
  std::uint32_t won = 0;  // the last mover has four in a row

  static bool has_four(std::uint64_t s) {
    for (int step : {1, 6, 7, 8}) {
      const std::uint64_t pairs = s & s >> step;
      if (pairs & pairs >> 2 * step) return true;
    }
    return false;
  }
  std::uint64_t occupied() const { return stones[0] | stones[1]; }
  int mover() const { return int(moves & 1); }
  static int bit(int cell) { return cell % cols * 7 + rows - 1 - cell / cols; }
  int height(int col) const { return std::popcount(occupied() >> col * 7 & 0x3f); }

  int turn() const { return won || moves == max_plies ? over : mover(); }
  void legal(Actions& out) const {
    for (int col = 0; col < cols; ++col)
      if (!(occupied() >> (col * 7 + rows - 1) & 1)) out.add(col);
  }
  void apply(Action col) {
    std::uint64_t& own = stones[mover()];
    own |= (occupied() + (std::uint64_t{1} << col * 7)) & std::uint64_t{0x3f} << col * 7;
    won = has_four(own);
    ++moves;
  }
  int result() const { return !won ? 0 : mover() == 1 ? 1 : -1; }
  void encode(Planes out) const {
    for (int side = 0; side < 2; ++side)
      for (int cell = 0; cell < rows * cols; ++cell)
        out(side, cell) = float(stones[side ^ mover()] >> bit(cell) & 1);
  }

  std::string text(Action col) const { return std::to_string(col + 1); }
  int piece(int cell) const {
    return int(stones[0] >> bit(cell) & 1) - int(stones[1] >> bit(cell) & 1);
  }
  void touched(Action col, Cells& out) const { out.add((rows - 1 - height(col)) * cols + col); }
};

}  // namespace

TABULA_GAMES(Connect4)
