// expect: dice keeps the contract
#include "tests/wrong_games/dice.h"

struct Wrong : Dice<Wrong> {
  static constexpr auto name = "dice";
};
TABULA_GAMES(Wrong)
