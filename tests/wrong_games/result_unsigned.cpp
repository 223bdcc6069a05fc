// expect: results are +1, 0 or -1
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "result_unsigned";

  int result() const { return middle(0) - middle(1); }
};
TABULA_GAMES(Wrong)
