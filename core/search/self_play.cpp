#include "core/search/self_play.h"

#include <utility>

#include "core/base/hash.h"
#include "core/base/portable_math.h"

namespace tabula {
namespace {

constexpr int kOpeningTries = 8;  // draws of a move that does not end the game

}  // namespace

float temperature_at(const Temperature& temperature, int ply) {
  if (ply < temperature.plies) return temperature.start;
  if (temperature.half_life <= 0) return temperature.end;
  const float halvings = float(ply - temperature.plies) / temperature.half_life;
  return temperature.end +
         (temperature.start - temperature.end) * portable_exp(-0.693147181f * halvings);
}

SelfPlayGame::SelfPlayGame(const Rules& rules, const GameConfig& config)
    : config_(config),
      start_(rules),
      state_(rules),
      before_(rules),
      playout_(rules),
      search_(config.search, 0),
      rng_(0) {}

void SelfPlayGame::start(std::uint64_t number, std::uint64_t seed) {
  record_.clear();
  record_.number = number;
  record_.seed = seed;
  rng_ = Rng(seed);
  record_.play_on = rng_.uniform() < config_.resign.play_on;
  begin();
}

void SelfPlayGame::begin() {
  state_ = start_;
  bad_moves_[0] = bad_moves_[1] = 0;
  search_.reseed(rng_.next());
  running_ = true;
  begun_ = false;
}

void SelfPlayGame::resume(const GameRecord& adjourned) {
  record_ = adjourned;
  rng_ = Rng(Hash().add(adjourned.seed).add(adjourned.plies.size()).value());
  begin();
  for (const PlyRecord& ply : record_.plies) {
    if (!ply.opening && !ply.chance) count_bad(state_.turn(), ply.value);
    state_.apply(ply.action);
  }
}

void SelfPlayGame::play_opening() {
  const auto most = std::uint32_t(config_.opening.plies);
  std::uint32_t left = config_.opening.exact ? most : rng_.below(most + 1);
  while (left > 0 && play_opening_ply()) --left;
}

// A move that would end the game is drawn again. False if that does not help.
bool SelfPlayGame::play_opening_ply() {
  before_ = state_;
  for (int tries = 0; tries < kOpeningTries; ++tries) {
    apply({.action = playout_.draw(state_, rng_), .opening = true, .chance = state_.at_chance()});
    if (!state_.over()) return true;
    record_.plies.pop_back();
    state_ = before_;
  }
  return false;
}

// Rolls the dice, if it is their turn, and begins the search of the next move.
void SelfPlayGame::next_search(const Action* played) {
  while (state_.at_chance()) {
    apply({.action = playout_.draw(state_, rng_), .chance = true});
    played = nullptr;
  }
  if (state_.over())
    return finish(state_.cut() ? Ending::adjudicated : Ending::by_rules, state_.result());
  full_ = rng_.uniform() < config_.full_share;
  const int simulations = full_ ? config_.search.simulations : config_.cheap_simulations;
  const bool same_model = std::exchange(model_, next_model_) == next_model_;
  if (config_.reuse_tree && played && same_model)
    search_.advance(*played, state_, full_, simulations);
  else
    search_.start(state_, full_, simulations);
}

int SelfPlayGame::gather() {
  try {
    if (running_ && !std::exchange(begun_, true)) {
      if (record_.plies.empty()) play_opening();
      next_search(nullptr);
    }
    while (running_) {
      if (search_.done())
        play();
      else if (const int count = search_.gather(); count > 0)
        return count;
    }
    return 0;
  } catch (const GameError& error) {
    std::vector<Action> moves;
    for (const PlyRecord& ply : record_.plies) moves.push_back(ply.action);
    throw with_moves(error, start_, moves);
  }
}

void SelfPlayGame::play() {
  search_.result(result_);
  const int player = state_.turn();
  PlyRecord ply{.action = result_.moves[choose_move()].action,
                .full = full_,
                .resign = gives_up(player),
                .model = model_,
                .descents = std::uint32_t(search_.descents() - ply_descents_),
                .value = result_.value};
  ply_descents_ = search_.descents();
  if (full_) note_policy(ply);
  apply(ply);
  if (ply.resign && !record_.play_on && !state_.over())
    finish(Ending::resigned, player == 0 ? -1 : 1);
  else
    next_search(&ply.action);
}

std::size_t SelfPlayGame::choose_move() {
  if (config_.search.method == Method::gumbel) return result_.best;
  return draw_move(result_, temperature_at(config_.temperature, state_.ply()), rng_);
}

void SelfPlayGame::count_bad(int player, const Wdl& value) {
  const bool bad = config_.resign.loss > 0 && value.loss >= config_.resign.loss;
  bad_moves_[player] = bad ? bad_moves_[player] + 1 : 0;
}

// True at most once a game.
bool SelfPlayGame::gives_up(int player) {
  count_bad(player, result_.value);
  if (bad_moves_[player] == 0 || bad_moves_[player] < config_.resign.moves || record_.resigner >= 0)
    return false;
  record_.resigner = player;
  return true;
}

void SelfPlayGame::note_policy(PlyRecord& ply) {
  ply.policy_begin = std::uint32_t(record_.policy.size());
  for (const MoveResult& move : result_.moves)
    if (move.target > 0) record_.policy.push_back({move.action, move.target});
  ply.policy_end = std::uint32_t(record_.policy.size());
}

void SelfPlayGame::apply(const PlyRecord& ply) {
  record_.plies.push_back(ply);
  state_.apply(ply.action);
}

void SelfPlayGame::finish(Ending ending, int result) {
  record_.ending = ending;
  record_.result = result;
  running_ = false;
}

}  // namespace tabula
