#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/arena/player.h"
#include "core/game/playout.h"
#include "core/search/search.h"

namespace tabula {

// One game between two players, in the manner of Search: the caller carries questions to the
// evaluator of whoever thinks, and answers back.
class MatchGame {
 public:
  explicit MatchGame(const Rules& rules) : start_(rules), state_(rules), playout_(rules), rng_(0) {}

  // Begins behind an opening. Dice follow from `dice` and how often they rolled, and so does what a
  // search draws in a seat; moves that are drawn follow from `seed`. The players outlive the game.
  void start(std::array<Player*, 2> players, std::span<const Action> opening, std::uint64_t dice,
             std::uint64_t seed, float temperature);

  // Plays on until there are questions, the game is over, or a player who needs no answers has
  // moved. Returns how many questions there are.
  int gather();
  bool over() const { return state_.over(); }
  Player& thinker() { return *players_[std::size_t(state_.turn())]; }  // requires: questions
  Question question(int index) { return search().question(index); }
  int open() const { return open_; }
  void expand(std::span<const Answer> answers);

  int result() const { return state_.result(); }  // for player 0. requires: over()
  std::span<const Action> moves() const { return moves_; }

 private:
  Search& search() { return *searches_[std::size_t(state_.turn())]; }
  void begin_turn();
  void roll();
  void play(Action action);
  Action searched_move();

  State start_, state_;
  Playout playout_;
  std::array<Player*, 2> players_{};
  std::array<std::optional<Search>, 2> searches_;
  std::vector<Action> moves_;
  SearchResult result_;
  Rng rng_;
  std::uint64_t dice_ = 0, rolls_ = 0;
  float temperature_ = 0;
  int open_ = 0;
};

}  // namespace tabula
