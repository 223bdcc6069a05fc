// expect: every cell of every plane is written
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "planes_unwritten";

  void encode(Planes out) const {
    for (int cell = 0; cell < 6; ++cell) {
      out(0, cell) = 0;
      if (plies() != 5 || cell != 3) out(1, cell) = 0;
    }
  }
};
TABULA_GAMES(Wrong)
