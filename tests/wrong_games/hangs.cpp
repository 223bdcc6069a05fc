// expect: nothing for 2 seconds
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "hangs";

  void legal(Actions& out) const {
    for (volatile bool wait = plies() == 3; wait;) {}
    Honest::legal(out);
  }
};
TABULA_GAMES(Wrong)
