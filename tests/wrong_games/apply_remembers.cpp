// expect: the same position when action
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "apply_remembers";

  void apply(Action cell) {
    static int calls = 0;
    Honest::apply(cell);
    if (++calls % 64 == 0) stones[0] |= 64;
  }
};
TABULA_GAMES(Wrong)
