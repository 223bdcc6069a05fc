// expect: the game ends within max_plies
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "never_ends";

  int turn() const { return mover(); }
  void apply(Action cell) {
    Honest::apply(cell);
    if (plies() == 6) stones[0] = stones[1] = 0;
  }
};
TABULA_GAMES(Wrong)
