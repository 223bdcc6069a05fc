// expect: legal moves are stable
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "legal_unstable";

  void legal(Actions& out) const {
    static int calls = 0;
    for (int cell = ++calls % 2; cell < 6; ++cell)
      if (free(cell) || plies() == 5) out.add(cell);
  }
};
TABULA_GAMES(Wrong)
