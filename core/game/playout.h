#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "core/game/state.h"

namespace tabula {

// Draws a move: uniform where a player moves, by the odds at a chance node.
// `odds` is scratch space for as many floats as there are moves.
inline Action random_move(const State& state, std::span<const Action> legal, std::span<float> odds,
                          Rng& rng) {
  if (!state.at_chance() || !state.rules().table().odds)
    return legal[rng.below(std::uint32_t(legal.size()))];
  state.odds(legal, odds);
  float left = rng.uniform();
  std::size_t i = 0;
  while (i + 1 < legal.size() && (left -= odds[i]) >= 0) ++i;
  return legal[i];
}

// Scratch space for playouts of one game. Not thread-safe.
class Playout {
 public:
  explicit Playout(const Rules& rules)
      : moves_(std::size_t(rules.max_legal())), odds_(std::size_t(rules.max_legal())) {}

  std::span<const Action> legal(const State& state) { return state.legal(moves_); }
  Action draw(const State& state, Rng& rng) {
    return random_move(state, state.legal(moves_), odds_, rng);
  }
  // Plays on at random until the game is over; returns its result for player 0.
  int finish(State& state, Rng& rng) {
    while (!state.over()) state.apply(draw(state, rng));
    return state.result();
  }

 private:
  std::vector<Action> moves_;
  std::vector<float> odds_;
};

// The names of moves played from `from` on, dice included: "d1 d2 c1". A move whose name cannot be
// had, because the game fails, is given by its number.
std::string moves_text(State from, std::span<const Action> moves);

// The same error, with the moves that led there.
GameError with_moves(const GameError& error, const State& from, std::span<const Action> moves);

// Plays named moves from the start. Throws Error at the first that is not legal, and says which
// are.
State play_moves(const Rules& rules, std::string_view moves);

}  // namespace tabula
