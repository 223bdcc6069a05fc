// Bounds that a pairing strategy proves without any search (after V. Allis, "A Knowledge-based
// Approach of Connect-Four", 1988: claimeven and zugzwang control).
//
// The follower answers every stone with one directly above it. From a column with an even number of
// empty cells the leader then gets the lower cell of each pair. Two columns with an odd number make
// a pair of their lowest empty cells: the leader takes one, the follower the other, and both
// columns are even from there on. Who gets which of them is left open: they count as the leader's
// when it is asked what the leader may get, and as nobody's when it is asked what the follower gets
// for sure.
#include "games/connect4/solver/position.h"

namespace tabula::connect4 {
namespace {

constexpr Cells kLowOfPairs = kBottom * 0b010101, kHighOfPairs = kBottom * 0b101010;

}  // namespace

int Position::claim() const { return stones() % 2 == 0 ? claim_of_second() : claim_of_first(); }

// The first player moves. The empty cells are even in number, so the second can always follow.
int Position::claim_of_second() const {
  const Cells empty = kBoard ^ all_, open = legal() & kHighOfPairs;
  if (has_four(mine_ | (empty & kLowOfPairs) | open)) return kNoClaim;
  return has_four(theirs() | (empty & kHighOfPairs & ~open)) ? -1 : 0;
}

// The second player moves. The first can follow as long as one column stays out of it: where the
// first threatens a low cell, neither side wants the cell below. When all else is full, the second
// must play there. Below that cell the column's pairs begin on the high rows.
int Position::claim_of_first() const {
  const Cells empty = kBoard ^ all_;
  for (Cells left = their_threats_ & kLowOfPairs & ~legal(); left; left &= left - 1) {
    const Cells threat = left & -left, below = threat - 1;
    const Cells column = column_cells(std::countr_zero(threat) / kAcross);
    const Cells its = (empty & kLowOfPairs & ~column) | (empty & kHighOfPairs & column & below);
    const Cells open = legal() & (column ^ kHighOfPairs);
    if (!has_four(mine_ | its | open)) return -1;
  }
  return kNoClaim;
}

}  // namespace tabula::connect4
