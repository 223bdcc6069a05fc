#include "core/arena/pairs.h"

#include <algorithm>

#include "core/base/hash.h"

namespace tabula {
namespace {

std::uint64_t hash_of(std::span<const Action> moves) {
  Hash hash;
  for (const Action action : moves) hash.add(std::uint64_t(action));
  return hash.value();
}

}  // namespace

std::uint64_t pair_seed(std::uint64_t match_seed, std::uint32_t number) {
  return Hash().add(match_seed).add(number).value();
}

PairGroup::PairGroup(const Rules& rules, std::span<Player> players, int pairs, float temperature,
                     Next next, Finished finished)
    : players_(players),
      temperature_(temperature),
      next_(std::move(next)),
      finished_(std::move(finished)),
      pairs_(std::size_t(pairs)),
      thinking_(players.size()) {
  for (Pair& pair : pairs_) pair.games.assign(2, MatchGame(rules));
}

void PairGroup::begin(Pair& pair, PairTicket ticket) {
  Player *a = &players_[ticket.a], *b = &players_[ticket.b];
  pair.games[0].start({a, b}, ticket.opening, ticket.seed, mix(ticket.seed), temperature_);
  pair.games[1].start({b, a}, ticket.opening, ticket.seed, mix(mix(ticket.seed)), temperature_);
  pair.ticket = std::move(ticket);
  pair.running = true;
}

void PairGroup::finish(Pair& pair) {
  PairResult result{.number = pair.ticket.number, .a = pair.ticket.a, .b = pair.ticket.b};
  for (std::size_t game = 0; game < 2; ++game) {
    result.results[game] = pair.games[game].result();
    result.moves[game] = hash_of(pair.games[game].moves());
  }
  pair.running = false;
  finished_(result);
}

bool PairGroup::round() {
  for (auto& games : thinking_) games.clear();
  bool busy = false;
  for (Pair& pair : pairs_) {
    if (!pair.running)
      if (std::optional<PairTicket> ticket = next_()) begin(pair, std::move(*ticket));
    if (!pair.running) continue;
    busy = true;
    for (MatchGame& game : pair.games)
      if (!game.over() && game.gather() > 0)
        thinking_[std::size_t(&game.thinker() - players_.data())].push_back(&game);
    if (pair.games[0].over() && pair.games[1].over()) finish(pair);
  }
  for (std::size_t player = 0; player < players_.size(); ++player) ask(player);
  return busy;
}

void PairGroup::ask(std::size_t player) {
  if (thinking_[player].empty()) return;
  batch_.questions.clear();
  for (MatchGame* game : thinking_[player])
    for (int i = 0; i < game->open(); ++i) batch_.questions.push_back(game->question(i));
  batch_.answers.resize(batch_.questions.size());
  players_[player].evaluator->evaluate(batch_.questions, batch_.answers);
  std::span<const Answer> answers = batch_.answers;
  for (MatchGame* game : thinking_[player]) {
    const auto count = std::size_t(game->open());
    game->expand(answers.first(count));
    answers = answers.subspan(count);
  }
}

void PairGroup::abandon() {
  for (Pair& pair : pairs_) pair.running = false;
}

int PairGroup::under_way() const {
  return int(std::ranges::count_if(pairs_, [](const Pair& pair) { return pair.running; }));
}

}  // namespace tabula
