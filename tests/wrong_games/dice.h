// An honest game of dice, for wrong ones to derive from: six rolls in turn; the higher sum wins.
#pragma once
#include "core/game/game.h"

using namespace tabula;

template <class G>
struct Dice : Game<G> {
  static constexpr int actions = 1, outcomes = 3, planes = 1, rows = 1, cols = 1, max_plies = 12;

  std::int32_t sum[2] = {};
  std::int32_t rolls = 0;
  std::int32_t rolling = 0;

  int turn() const { return rolls == 6 ? over : rolling ? chance : rolls & 1; }
  void legal(Actions& out) const { out.add_range(0, rolling ? 3 : 1); }
  float odds(Action face) const { return face == 0 ? 0.5f : 0.25f; }
  void apply(Action face) {
    if (rolling) sum[rolls++ & 1] += face;
    rolling ^= 1;
  }
  int result() const { return (sum[0] > sum[1]) - (sum[0] < sum[1]); }
  void encode(Planes out) const { out(0, 0) = float(sum[rolls & 1] - sum[~rolls & 1]); }
};
