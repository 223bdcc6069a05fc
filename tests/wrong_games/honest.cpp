// expect: honest keeps the contract
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "honest";
};
TABULA_GAMES(Wrong)
