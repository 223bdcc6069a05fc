// expect: touched cells are on the board
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "touched_outside";

  void touched(Action cell, Cells& out) const { out.add(cell + 1); }
};
TABULA_GAMES(Wrong)
