// expect: odds are positive and sum to one
#include "tests/wrong_games/dice.h"

struct Wrong : Dice<Wrong> {
  static constexpr auto name = "odds_sum";

  float odds(Action) const { return 0.5f; }
};
TABULA_GAMES(Wrong)
