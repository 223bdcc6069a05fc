// expect: nothing is written outside the planes
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "planes_outside";

  void encode(Planes out) const {
    Honest::encode(out);
    out(2, 0) = 1;
  }
};
TABULA_GAMES(Wrong)
