#include "core/search/game_group.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace tabula {

GameGroup::GameGroup(const Rules& rules, const GameConfig& config, int games, Next next,
                     Finished finished)
    : next_(std::move(next)), finished_(std::move(finished)) {
  games_.reserve(std::size_t(games));
  for (int i = 0; i < games; ++i) games_.emplace_back(rules, config);
}

std::span<const Question> GameGroup::gather() {
  batch_.questions.clear();
  for (SelfPlayGame& game : games_) {
    advance(game);
    for (int i = 0; i < game.open(); ++i) batch_.questions.push_back(game.question(i));
  }
  return batch_.questions;
}

// Until there are questions, or no more games.
void GameGroup::advance(SelfPlayGame& game) {
  while (!game.over() || begin(game)) {
    if (game.gather() > 0) return;
    stats_.add(game.record());
    finished_(game.record());
  }
}

bool GameGroup::begin(SelfPlayGame& game) {
  const std::optional<GameTicket> ticket = next_();
  if (ticket && ticket->adjourned)
    game.resume(*ticket->adjourned);
  else if (ticket)
    game.start(ticket->number, ticket->seed);
  return ticket.has_value();
}

void GameGroup::adjourn(const Finished& adjourned) {
  for (SelfPlayGame& game : games_) {
    if (!game.over() && !game.record().plies.empty()) adjourned(game.record());
    game.abandon();
  }
}

void GameGroup::expand(std::span<const Answer> answers) {
  assert(answers.size() == batch_.questions.size());
  stats_.evaluations += answers.size();
  for (SelfPlayGame& game : games_) {
    const auto count = std::size_t(game.open());
    if (count == 0) continue;
    game.expand(answers.first(count));
    answers = answers.subspan(count);
  }
}

std::size_t GameGroup::round(Evaluator& evaluator) {
  const std::size_t size = gather().size();
  if (size == 0) return 0;
  batch_.answers.resize(size);
  evaluator.evaluate(batch_.questions, batch_.answers);
  expand(batch_.answers);
  return size;
}

void GameGroup::use(std::uint32_t model) {
  if (model == newest_model_) return;
  newest_model_ = model;
  for (SelfPlayGame& game : games_) game.use(model);
}

std::uint32_t GameGroup::oldest_model() const {
  std::uint32_t oldest = newest_model_;
  for (const SelfPlayGame& game : games_)
    if (!game.over()) oldest = std::min(oldest, game.model());
  return oldest;
}

std::size_t GameGroup::begin_round(const EvaluatorOf& evaluator_of) {
  for (SelfPlayGame& game : games_) advance(game);
  std::size_t questions = 0, used = 0;
  for (std::uint32_t model = oldest_model(); model <= newest_model_; ++model) {
    if (used == asked_.size()) asked_.emplace_back();
    Asked& asked = asked_[used];
    asked.model = model;
    asked.batch.questions.clear();
    for (SelfPlayGame& game : games_)
      for (int i = 0; game.model() == model && i < game.open(); ++i)
        asked.batch.questions.push_back(game.question(i));
    if (asked.batch.questions.empty()) continue;
    ++used;
    questions += asked.batch.questions.size();
    asked.batch.answers.resize(asked.batch.questions.size());
    asked.evaluator = &evaluator_of(model);
    asked.evaluator->begin(asked.batch.questions, asked.batch.answers);
    if (asked.evaluator->in_flight() == 1) settle(asked);  // another group may want it meanwhile
  }
  return questions;
}

void GameGroup::finish_round() {
  for (Asked& asked : asked_)
    if (asked.evaluator) settle(asked);
}

void GameGroup::settle(Asked& asked) {
  std::exchange(asked.evaluator, nullptr)->finish();
  std::span<const Answer> answers = asked.batch.answers;
  stats_.evaluations += answers.size();
  for (SelfPlayGame& game : games_) {
    if (game.model() != asked.model || game.open() == 0) continue;
    const auto count = std::size_t(game.open());
    game.expand(answers.first(count));
    answers = answers.subspan(count);
  }
}

PlayStats GameGroup::stats() const {
  PlayStats stats = stats_;
  for (const SelfPlayGame& game : games_) stats.descents += game.descents();
  return stats;
}

}  // namespace tabula
