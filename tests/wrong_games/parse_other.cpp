// expect: parse() inverts text()
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "parse_other";

  std::string text(Action cell) const { return std::to_string(cell + 1); }
  Action parse(std::string_view text) const { return text[0] - 48; }
};
TABULA_GAMES(Wrong)
