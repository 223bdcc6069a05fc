// expect: an earlier position with the same key()
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "key_forgets";

  std::uint16_t key() const { return stones[0]; }
};
TABULA_GAMES(Wrong)
