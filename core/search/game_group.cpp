#include "core/search/game_group.h"

#include <algorithm>
#include <cassert>

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
  newest_model_ = model;
  for (SelfPlayGame& game : games_) game.use(model);
}

std::uint32_t GameGroup::oldest_model() const {
  std::uint32_t oldest = newest_model_;
  for (const SelfPlayGame& game : games_)
    if (!game.over()) oldest = std::min(oldest, game.model());
  return oldest;
}

std::size_t GameGroup::round_by_model(const EvaluatorOf& evaluator_of) {
  for (SelfPlayGame& game : games_) advance(game);
  std::size_t asked = 0;
  for (std::uint32_t model = oldest_model(); model <= newest_model_; ++model) {
    batch_.questions.clear();
    for (SelfPlayGame& game : games_)
      for (int i = 0; game.model() == model && i < game.open(); ++i)
        batch_.questions.push_back(game.question(i));
    if (batch_.questions.empty()) continue;
    asked += batch_.questions.size();
    ask(evaluator_of(model), model);
  }
  return asked;
}

void GameGroup::ask(Evaluator& evaluator, std::uint32_t model) {
  batch_.answers.resize(batch_.questions.size());
  evaluator.evaluate(batch_.questions, batch_.answers);
  stats_.evaluations += batch_.answers.size();
  std::span<const Answer> answers = batch_.answers;
  for (SelfPlayGame& game : games_) {
    if (game.model() != model || game.open() == 0) continue;
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
