// expect: a position that is not over has a move
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "legal_empty";

  void legal(Actions& out) const {
    if (plies() != 4) Honest::legal(out);
  }
};
TABULA_GAMES(Wrong)
