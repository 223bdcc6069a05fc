// expect: move names are unique in a position
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "names_twice";

  std::string text(Action cell) const { return std::string(1, char(97 + cell % 3)); }
};
TABULA_GAMES(Wrong)
