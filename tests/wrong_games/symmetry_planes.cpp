// expect: the image of the planes
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "symmetry_planes";

  void encode(Planes out) const {
    Honest::encode(out);
    out(1, 0) = 0.5f;  // the left side looks different
  }
};
TABULA_GAMES(Wrong)
