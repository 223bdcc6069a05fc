// Built against tests/frozen/v1, a copy of the first header that was ever released.
#include "core/game/bitboard.h"
#include "core/game/game.h"

struct Frozen : tabula::Game<Frozen> {
  static constexpr auto name = "frozen";
  static constexpr int actions = 4, outcomes = 2, planes = 1, rows = 2, cols = 2, max_plies = 5;
  static constexpr int action_planes = 1;
  static constexpr auto symmetry = tabula::Symmetry::mirror;

  tabula::Bitboard<2, 2> taken;
  std::int32_t coin = -1;  // -1: not thrown yet
  std::int32_t plies = 0;

  int turn() const { return coin < 0 ? tabula::chance : plies == 4 ? tabula::over : plies & 1; }
  void legal(tabula::Actions& out) const {
    if (coin < 0) return out.add_range(0, 2);
    (~taken).each([&](int cell) { out.add(cell); });
  }
  float odds(tabula::Action side) const { return side ? 0.75f : 0.25f; }
  void apply(tabula::Action a) {
    if (coin < 0) {
      coin = a;
    } else {
      taken.set(a);
      ++plies;
    }
  }
  int result() const { return coin ? 1 : -1; }
  void encode(tabula::Planes out) const { out.set(0, taken); }
  int piece(int cell) const { return taken.test(cell); }
};
TABULA_GAMES(Frozen)
