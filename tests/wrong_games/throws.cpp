// expect: an exception: no more matches
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "throws";

  void apply(Action cell) {
    Honest::apply(cell);
    if (plies() == 3) throw std::runtime_error("no more matches");
  }
};
TABULA_GAMES(Wrong)
