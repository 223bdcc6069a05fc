// expect: a move's name is one word
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "names_blank";

  std::string text(Action cell) const { return "cell " + std::to_string(cell); }
};
TABULA_GAMES(Wrong)
