// expect: a game with dice declares outcomes
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "chance_undeclared";

  int turn() const { return plies() == 6 ? over : plies() == 2 ? chance : mover(); }
};
TABULA_GAMES(Wrong)
