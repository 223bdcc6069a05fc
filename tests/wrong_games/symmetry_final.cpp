// expect: the image of the final planes of player 0
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "symmetry_final";
  static constexpr int final_planes = 1;

  void encode_final(int player, Planes out) const {
    for (int cell = 0; cell < 6; ++cell)
      out(0, cell) = float(player == 0 ? piece(cell) : -piece(cell));
    out(0, 0) = 0;  // the top left corner belongs to nobody, whoever holds it
  }
};
TABULA_GAMES(Wrong)
