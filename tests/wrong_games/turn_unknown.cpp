// expect: turn is 0, 1, chance or over
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "turn_unknown";

  int turn() const { return plies() == 6 ? over : plies() == 2 ? 2 : mover(); }
};
TABULA_GAMES(Wrong)
