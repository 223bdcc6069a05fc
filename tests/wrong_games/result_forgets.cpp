// expect: from result() whenever it is asked
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "result_forgets";

  int result() const {
    static int calls = 0;
    return ++calls % 2 ? 1 : -1;
  }
};
TABULA_GAMES(Wrong)
