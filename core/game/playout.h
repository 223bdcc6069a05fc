#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "core/game/state.h"

namespace tabula {

// Random play of one game: uniform where a player moves, by the odds at a chance node. Holds the
// scratch space for it. Not thread-safe.
class Playout {
 public:
  explicit Playout(const Rules& rules)
      : moves_(std::size_t(rules.max_legal())), odds_(rules.table().odds ? moves_.size() : 0) {}

  std::span<const Action> legal(const State& state) { return state.legal(moves_); }
  Action draw(const State& state, Rng& rng) {
    return pick(state, state.turn(), state.legal(moves_), rng);
  }
  // Plays on at random until the game is over; returns its result for player 0.
  int finish(State& state, Rng& rng) {
    if (!state.play_out(rng)) finish_by_move(state, rng);
    return state.result();
  }
  // The same, move by move through the plugin boundary.
  void finish_by_move(State& state, Rng& rng) {
    while (!state.over()) state.apply(draw(state, rng));
  }

 private:
  Action pick(const State& state, int turn, std::span<const Action> legal, Rng& rng) {
    const bool alike = odds_.empty() || turn != TABULA_CHANCE;
    return alike ? any(legal, rng) : weighted(state, legal, rng);
  }
  static Action any(std::span<const Action> legal, Rng& rng) {
    return legal[rng.below(std::uint32_t(legal.size()))];
  }
  Action weighted(const State& state, std::span<const Action> legal, Rng& rng);

  std::vector<Action> moves_;
  std::vector<float> odds_;  // empty: all outcomes alike
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
