// expect: it must permute the actions
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "map_not_a_permutation";

  static Action map_action(int symmetry, Action cell) { return symmetry ? cell / 2 : cell; }
};
TABULA_GAMES(Wrong)
