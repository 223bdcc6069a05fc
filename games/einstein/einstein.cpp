#include <algorithm>
#include <array>
#include <cstdlib>

#include "core/game/bitboard.h"
#include "core/game/game.h"

namespace {
using namespace tabula;

// EinStein würfelt nicht (Ingo Althöfer, 2004): stones 1 to 6 race to the opposite corner, and the
// die says which may step. Chance also sets the stones up, first player 0's in order, then player
// 1's, each on a free cell of its home.
struct Einstein : Game<Einstein> {
  static constexpr auto name = "einstein";
  static constexpr int rows = 5, cols = 5, kCells = 25, kStones = 6;
  static constexpr int actions = 3 * kCells;   // direction * 25 + cell, as the mover sees it
  static constexpr int outcomes = kCells + 6;  // cells, then faces
  static constexpr int planes = 2 * kStones + 1, action_planes = 3;
  // Rows and columns together, a player's stones start 8 + 7 + 7 + 6 + 6 + 6 from the corner, and
  // each step takes at least one of these. Only one stone gets there: its player makes at most 35
  // steps, the other 34. With a roll before each and the setup that is 12 + 2 * 69 plies.
  static constexpr int max_plies = 150;
  static constexpr auto symmetry = Symmetry::diagonal;

  static constexpr std::int8_t kGone = -1;  // or not yet there
  enum Direction { kRight, kDown, kDiagonal };

  using Board = Bitboard<rows, cols>;
  static constexpr auto kHomes = [] {  // three rows, three columns, cut along the diagonal
    std::array<Board, 2> homes;
    for (int cell = 0; cell < kCells; ++cell) {
      const int from_corner = cell / cols + cell % cols;
      if (from_corner <= 2) homes[0].set(cell);
      if (from_corner >= 6) homes[1].set(cell);
    }
    return homes;
  }();

  std::int8_t cell_of[2][kStones] = {{-1, -1, -1, -1, -1, -1}, {-1, -1, -1, -1, -1, -1}};
  std::int8_t placed = 0;  // stones, of twelve
  std::int8_t mover = 0;
  std::int8_t die = 0;     // 0: to be rolled
  std::int8_t winner = 0;  // +1, -1; 0: none yet

  // A cell as a player sees it, who has his home at the top left; and back.
  static int seen(int player, int cell) { return player ? kCells - 1 - cell : cell; }
  static int step(int direction) {
    return direction == kRight ? 1 : direction == kDown ? cols : cols + 1;
  }
  int from_cell(Action action) const { return seen(mover, action % kCells); }
  int to_cell(Action action) const { return seen(mover, action % kCells + step(action / kCells)); }
  bool setting_up() const { return placed < 2 * kStones; }
  bool stands(int player, int stone) const { return cell_of[player][stone] != kGone; }

  // Where the mover's stones stand that the die lets move, as he sees it: the one of that number,
  // or the nearest left above and below it.
  Board movable() const {
    Board cells;
    const auto add_nearest = [&](int stone, int by) {
      while (stone >= 0 && stone < kStones && !stands(mover, stone)) stone += by;
      if (stone >= 0 && stone < kStones) cells.set(seen(mover, cell_of[mover][stone]));
    };
    add_nearest(die - 1, 1);
    if (!stands(mover, die - 1)) add_nearest(die - 1, -1);
    return cells;
  }
  void legal_setup(Actions& out) const {
    const int player = placed / kStones;
    Board free = kHomes[player];
    for (int stone = 0; stone < placed % kStones; ++stone) free.clear(cell_of[player][stone]);
    free.each([&](int cell) { out.add(cell); });
  }
  void make_move(int from, int to) {
    for (auto& side : cell_of) std::ranges::replace(side, to, kGone);  // whosever stands there
    std::ranges::replace(cell_of[mover], from, to);
    const bool last_fell = std::ranges::count(cell_of[mover ^ 1], kGone) == kStones;
    if (last_fell || seen(mover, to) == kCells - 1) winner = mover ? -1 : 1;
  }

  int turn() const {
    if (winner) return over;
    return setting_up() || die == 0 ? chance : mover;
  }
  void legal(Actions& out) const {
    if (setting_up()) return legal_setup(out);
    if (die == 0) return out.add_range(kCells, outcomes);
    const Board last_column = Board::column(cols - 1), last_row = Board::row(rows - 1);
    const Board from = movable();
    (from & ~last_column).each([&](int cell) { out.add(kRight * kCells + cell); });
    (from & ~last_row).each([&](int cell) { out.add(kDown * kCells + cell); });
    (from & ~last_column & ~last_row).each([&](int cell) { out.add(kDiagonal * kCells + cell); });
  }
  void apply(Action action) {
    if (setting_up()) {
      cell_of[placed / kStones][placed % kStones] = std::int8_t(action);
      ++placed;
    } else if (die == 0) {
      die = std::int8_t(action - kCells + 1);
    } else {
      make_move(from_cell(action), to_cell(action));
      die = 0;
      mover ^= 1;
    }
  }
  int result() const { return winner; }
  // A plane for each of the mover's stones, each of the other's, and those the die lets move.
  void encode(Planes out) const {
    for (int side : {0, 1})
      for (int stone = 0; stone < kStones; ++stone) {
        const int plane = side * kStones + stone, player = side ^ mover;
        out.fill(plane, 0);
        if (stands(player, stone)) out(plane, seen(mover, cell_of[player][stone])) = 1;
      }
    out.set(2 * kStones, movable());
  }

  static Action map_action(int index, Action action) {
    const int direction = action / kCells, cell = map_cell(index, action % kCells);
    const bool swaps = index == 1 && direction != kDiagonal;
    return (swaps ? kRight + kDown - direction : direction) * kCells + cell;
  }
  static Action map_outcome(int index, Action outcome) {
    return outcome < kCells ? map_cell(index, outcome) : outcome;
  }

  int piece(int cell) const {
    for (int player : {0, 1})
      for (int stone = 0; stone < kStones; ++stone)
        if (cell_of[player][stone] == cell) return player ? -stone - 1 : stone + 1;
    return 0;
  }
  void touched(Action action, Cells& out) const {
    if (setting_up()) return out.add(action);
    if (die == 0) return;
    out.add(from_cell(action));
    out.add(to_cell(action));
  }
  // A stone's cell, the die's face, or a step: "c3", "5", "a5-b4".
  std::string text(Action action) const {
    if (setting_up()) return cell_text(action);
    if (die == 0) return std::to_string(action - kCells + 1);
    return cell_text(from_cell(action)) + "-" + cell_text(to_cell(action));
  }
  std::string board() const {
    std::string lines;
    for (int cell = 0; cell < kCells; ++cell) {
      if (cell % cols == 0) lines += "  " + std::to_string(rows - cell / cols);
      const int stone = piece(cell);
      lines += stone == 0 ? "  ." : (stone > 0 ? " X" : " O") + std::to_string(std::abs(stone));
      if (cell % cols == cols - 1) lines += "\n";
    }
    return lines + "    a  b  c  d  e" + (die ? "   die " + std::to_string(die) : "") + "\n";
  }
};

}  // namespace

TABULA_GAMES(Einstein)
