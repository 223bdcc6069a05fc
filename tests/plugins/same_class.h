// Two plugins are built from this, with one class name and different rules. The class has external
// linkage and a static of its own, as a careless author's would.
#pragma once
#include "core/game/game.h"

inline int taken_at_most() {
  static int most = TAKE;
  return most;
}

struct SameClass : tabula::Game<SameClass> {
  static constexpr auto name = GAME_NAME;
  static constexpr int actions = TAKE, planes = 1, rows = 1, cols = 1, max_plies = 12;
  static inline int most = TAKE;

  std::int32_t left = 12;
  std::int32_t mover = 0;

  int turn() const { return left == 0 ? tabula::over : mover; }
  void legal(tabula::Actions& out) const {
    for (int take = 0; take < most && take < taken_at_most() && take < left; ++take) out.add(take);
  }
  void apply(tabula::Action take) {
    left -= take + 1;
    mover ^= 1;
  }
  int result() const { return mover == 1 ? 1 : -1; }
  void encode(tabula::Planes out) const { out(0, 0) = float(left); }
};
