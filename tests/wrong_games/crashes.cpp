// expect: a crash: Segmentation fault
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "crashes";

  void apply(Action cell) {
    Honest::apply(cell);
    static int* volatile nowhere = nullptr;
    if (plies() == 3) *nowhere = 1;
  }
};
TABULA_GAMES(Wrong)
