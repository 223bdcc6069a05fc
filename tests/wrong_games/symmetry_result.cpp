// expect: symmetries commute with play
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "symmetry_result";

  int result() const { return stones[0] & 1 ? 1 : -1; }
};
TABULA_GAMES(Wrong)
