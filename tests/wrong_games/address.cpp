// expect: equal bytes behave equally
#include "tests/wrong_games/honest.h"

struct Wrong : Honest<Wrong> {
  static constexpr auto name = "address";

  void encode(Planes out) const {
    Honest::encode(out);
    out.fill(1, float(reinterpret_cast<std::uintptr_t>(this) % 65536));
  }
};
TABULA_GAMES(Wrong)
