// expect: odds are positive and sum to one
#include "tests/wrong_games/dice.h"

struct Wrong : Dice<Wrong> {
  static constexpr auto name = "odds_zero";

  float odds(Action face) const { return face == 0 ? 1.f : 0.f; }
};
TABULA_GAMES(Wrong)
