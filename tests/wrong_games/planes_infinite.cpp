// expect: planes are finite
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "planes_infinite";

  void encode(Planes out) const {
    Honest::encode(out);
    out.fill(1, 1.f / float(5 - plies()));
  }
};
TABULA_GAMES(Wrong)
