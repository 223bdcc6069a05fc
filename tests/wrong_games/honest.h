// A game that keeps the contract, for wrong ones to derive from: two players claim the cells of a
// board of two rows and three columns; whoever has more of the middle column wins.
#pragma once
#include <bit>

#include "core/game/game.h"

using namespace tabula;

template <class G>
struct Honest : Game<G> {
  static constexpr int actions = 6, planes = 2, rows = 2, cols = 3, max_plies = 6;
  static constexpr int action_planes = 1;
  static constexpr auto symmetry = Symmetry::mirror;

  std::uint16_t stones[2] = {};  // bit i is cell i

  int plies() const { return std::popcount(unsigned(stones[0] | stones[1])); }
  int mover() const { return plies() & 1; }
  bool free(int cell) const { return !((stones[0] | stones[1]) >> cell & 1); }
  int middle(int side) const { return (stones[side] >> 1 & 1) + (stones[side] >> 4 & 1); }

  int turn() const { return plies() == 6 ? over : mover(); }
  void legal(Actions& out) const {
    for (int cell = 0; cell < 6; ++cell)
      if (free(cell)) out.add(cell);
  }
  void apply(Action cell) { stones[mover()] |= std::uint16_t(1u << cell); }
  int result() const { return (middle(0) > middle(1)) - (middle(0) < middle(1)); }
  void encode(Planes out) const {
    for (int side = 0; side < 2; ++side)
      for (int cell = 0; cell < 6; ++cell)
        out(side, cell) = float(stones[side ^ mover()] >> cell & 1);
  }
  int piece(int cell) const { return (stones[0] >> cell & 1) - (stones[1] >> cell & 1); }
};
