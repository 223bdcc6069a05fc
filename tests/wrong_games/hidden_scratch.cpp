// expect: threads do not disturb one another
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "hidden_scratch";

  static inline volatile int scratch = 0;  // fine in one thread, not in two
  void legal(Actions& out) const {
    const int before = stones[0] | stones[1];
    scratch = before;
    for (int wait = 0; wait < 20000; ++wait) asm volatile("");
    const int occupied = scratch;
    for (int cell = 0; cell < 6; ++cell)
      if (!(occupied >> cell & 1)) out.add(cell);
  }
};
TABULA_GAMES(Wrong)
