// expect: only apply() changes the position
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "observer_writes";

  int result() const {
    const_cast<Wrong*>(this)->stones[0] = 0;
    return 0;
  }
};
TABULA_GAMES(Wrong)
