// expect: for outcome 2 under symmetry
#include "tests/wrong_games/dice.h"

// The faces 1 and 2 are images of one another, but not as likely.
struct Wrong : Dice<Wrong> {
  static constexpr auto name = "symmetry_odds";
  static constexpr auto symmetry = Symmetry::mirror;

  static Action map_outcome(int index, Action face) { return index && face ? 3 - face : face; }
  float odds(Action face) const { return face == 0 ? 0.5f : face == 1 ? 0.1f : 0.4f; }
  int result() const { return 0; }
  void encode(Planes out) const { out(0, 0) = float(rolls); }
};
TABULA_GAMES(Wrong)
