// expect: games do not disturb one another
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "hidden_state";
  static constexpr auto symmetry = Symmetry::none;

  // What is shown depends on the last move of any game at all.
  static inline int last = 0;
  void apply(Action cell) {
    Honest::apply(cell);
    last = cell;
  }
  void encode(Planes out) const {
    Honest::encode(out);
    if (plies() > 0 && free(last)) out.fill(0, 0.25f);
  }
};
TABULA_GAMES(Wrong)
