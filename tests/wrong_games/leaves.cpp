// expect: the process left with exit(0)
#include <cstdlib>

#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "leaves";

  void apply(Action cell) {
    Honest::apply(cell);
    if (plies() == 3) std::exit(0);
  }
};
TABULA_GAMES(Wrong)
