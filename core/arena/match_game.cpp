#include "core/arena/match_game.h"

#include "core/base/hash.h"

namespace tabula {

void MatchGame::start(std::array<Player*, 2> players, std::span<const Action> opening,
                      std::uint64_t dice, std::uint64_t seed, float temperature) {
  players_ = players;
  dice_ = dice;
  rolls_ = 0;
  temperature_ = temperature;
  rng_ = Rng(seed);
  for (std::size_t seat = 0; seat < 2; ++seat) {
    searches_[seat].reset();
    if (players[seat]->evaluator) searches_[seat].emplace(players[seat]->search, mix(dice + seat));
  }
  state_ = start_;
  moves_.clear();
  open_ = 0;
  for (const Action action : opening) {
    moves_.push_back(action);
    state_.apply(action);
  }
  begin_turn();
}

// Rolls the dice, if it is their turn, and begins the search of the next move.
void MatchGame::begin_turn() {
  while (state_.at_chance()) roll();
  if (!over() && players_[std::size_t(state_.turn())]->evaluator) search().start(state_, false);
}

void MatchGame::roll() {
  Rng rng(Hash().add(dice_).add(rolls_++).value());
  const Action outcome = playout_.draw(state_, rng);
  moves_.push_back(outcome);
  state_.apply(outcome);
}

int MatchGame::gather() try {
  while (!over()) {
    if (!thinker().evaluator) {
      play(thinker().mover->move(state_, moves_, rng_));
      return 0;
    }
    if (search().done())
      play(searched_move());
    else if ((open_ = search().gather()) > 0)
      return open_;
  }
  return 0;
} catch (const GameError& error) {
  throw with_moves(error, start_, moves_);
}

void MatchGame::expand(std::span<const Answer> answers) {
  search().expand(answers);
  open_ = 0;
}

void MatchGame::play(Action action) {
  moves_.push_back(action);
  state_.apply(action);
  begin_turn();
}

Action MatchGame::searched_move() {
  search().result(result_);
  const std::size_t chosen = temperature_ > 0 ? draw_move(result_, temperature_, rng_)
                             : search().config().method == Method::gumbel ? result_.best
                                                                          : safest_move(result_);
  return result_.moves[chosen].action;
}

}  // namespace tabula
