// expect: the images of the legal moves
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "symmetry_moves";

  void legal(Actions& out) const {
    for (int cell = plies() == 0; cell < 6; ++cell)  // no start in one corner
      if (free(cell)) out.add(cell);
  }
};
TABULA_GAMES(Wrong)
