// Players that choose a move at once, without questions to an evaluator.
#pragma once
#include <memory>
#include <span>

#include "core/base/rng.h"
#include "core/game/state.h"

namespace tabula {

// Not thread-safe.
class Mover {
 public:
  virtual ~Mover() = default;
  // `played`: all moves and dice from the start of the game. requires: a player moves in `state`
  virtual Action move(const State& state, std::span<const Action> played, Rng& rng) = 0;
};

std::unique_ptr<Mover> random_mover();

// Looks so many moves ahead by alpha and beta. What lies beyond counts as a draw, dice by their
// odds; wins sooner and losses later are better. Equal moves are drawn from.
std::unique_ptr<Mover> minimax_mover(int depth);

}  // namespace tabula
