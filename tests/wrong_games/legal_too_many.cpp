// expect: added more than the 6 entries
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "legal_too_many";

  void legal(Actions& out) const { out.add_range(0, 7); }
};
TABULA_GAMES(Wrong)
