// expect: legal moves ascend
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "legal_descends";

  void legal(Actions& out) const {
    for (int cell = 5; cell >= 0; --cell)
      if (free(cell)) out.add(cell);
  }
};
TABULA_GAMES(Wrong)
