// expect: a game begins before it is over
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "over_at_start";

  int turn() const { return over; }
};
TABULA_GAMES(Wrong)
