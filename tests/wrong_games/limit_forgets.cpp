// expect: from result_at_limit() whenever it is asked
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "limit_forgets";
  static constexpr int max_plies = 5;

  int result_at_limit() const {
    static int calls = 0;
    return ++calls % 2 ? 1 : -1;
  }
};
TABULA_GAMES(Wrong)
