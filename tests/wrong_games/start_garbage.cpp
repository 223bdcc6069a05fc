// expect: every game starts alike
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "start_garbage";

  std::uint16_t forgotten;
  Wrong() {}
};
TABULA_GAMES(Wrong)
