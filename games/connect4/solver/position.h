#pragma once
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tabula::connect4 {

// A set of cells. Bit 7 * column + row, rows counted from the bottom; the seventh bit of a column
// is never a cell, so that no line of four can run from one column's top into the next one's foot.
using Cells = std::uint64_t;

constexpr int kColumns = 7, kRows = 6, kSquares = kColumns * kRows;
constexpr Cells kBottom = 0x40810204081;  // row 0 of each column
constexpr Cells kBoard = kBottom * 0x3f;

constexpr Cells column_cells(int column) { return Cells{0x3f} << 7 * column; }
constexpr bool at_most_one(Cells cells) { return (cells & (cells - 1)) == 0; }

// Directions, as the distance from a cell to its neighbour.
constexpr int kUp = 1, kFalling = 6, kAcross = 7, kRising = 8;

constexpr bool has_four(Cells stones, int step) {
  const Cells pairs = stones & stones >> step;
  return pairs & pairs >> 2 * step;
}
constexpr bool has_four(Cells stones) {
  return has_four(stones, kUp) || has_four(stones, kFalling) || has_four(stones, kAcross) ||
         has_four(stones, kRising);
}

// The cells that make four in a line with three of `stones`. Some may be occupied already.
constexpr Cells completions(Cells stones, int step) {
  const Cells next_to_two = stones << step & stones << 2 * step;
  const Cells before_two = stones >> step & stones >> 2 * step;
  return (next_to_two & (stones << 3 * step | stones >> step)) |
         (before_two & (stones >> 3 * step | stones << step));
}
constexpr Cells completions(Cells stones) {
  const Cells above_three = stones << 1 & stones << 2 & stones << 3;
  return (above_three | completions(stones, kFalling) | completions(stones, kAcross) |
          completions(stones, kRising)) &
         kBoard;
}

// Swaps left and right, moving whole columns with their seventh bits.
constexpr Cells mirror(Cells cells) {
  constexpr Cells column = 0x7f;
  return (cells & column) << 42 | (cells & column << 7) << 28 | (cells & column << 14) << 14 |
         (cells & column << 21) | (cells >> 14 & column << 14) | (cells >> 28 & column << 7) |
         (cells >> 42 & column);
}

// A Connect Four position, seen from the side to move: a small value, copied freely.
// A threat is an empty cell, reachable yet or not, that would complete a side's four.
class Position {
 public:
  // Plays columns '1' to '7' from the empty board; the last move may end the game. For moves that
  // cannot be played returns nothing and, if asked, one sentence that says why.
  static std::optional<Position> parse(std::string_view moves, std::string* error = nullptr);

  int stones() const { return std::popcount(all_); }
  bool over() const { return has_four(theirs()) || all_ == kBoard; }

  // In each column that is not full, the cell where a stone would come to rest.
  Cells legal() const { return (all_ + kBottom) & kBoard; }
  Cells legal(int column) const { return legal() & column_cells(column); }
  Cells winning() const { return my_threats_ & legal(); }

  // The legal cells after which the opponent has no win at once.
  Cells safe() const {
    const Cells must_block = their_threats_ & legal();
    if (!at_most_one(must_block)) return 0;
    return (must_block ? must_block : legal()) & ~(their_threats_ >> kUp);
  }

  Cells their_threats() const { return their_threats_; }

  // Whether a side would have a four if all empty cells were its own.
  bool mover_can_line_up() const { return has_four(kBoard ^ theirs()); }
  bool opponent_can_line_up() const { return has_four(kBoard ^ mine_); }

  // A bound proven without search: the mover's score is at most this.
  static constexpr int kNoClaim = kSquares;
  int claim() const;

  // requires: the game is not over and `cell` is one of legal().
  Position after(Cells cell) const {
    Position next;
    next.mine_ = theirs();
    next.all_ = all_ | cell;
    next.my_threats_ = their_threats_ & ~cell;
    next.their_threats_ = completions(mine_ | cell) & ~next.all_;
    return next;
  }

  // Names the position exactly, in 49 bits, never 0: the highest bit set in each column is its
  // first empty cell, the bits below are the mover's stones. The mirror image has mirror(key()).
  std::uint64_t key() const { return mine_ | (all_ + kBottom); }

 private:
  Cells theirs() const { return mine_ ^ all_; }
  int claim_of_first() const;
  int claim_of_second() const;

  Cells mine_ = 0, all_ = 0;
  Cells my_threats_ = 0, their_threats_ = 0;
};

}  // namespace tabula::connect4
