// expect: legal moves are in range
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "legal_out_of_range";

  void legal(Actions& out) const {
    Honest::legal(out);
    if (plies() == 3) out.add(6);
  }
};
TABULA_GAMES(Wrong)
