#include "core/game/playout.h"

#include <sstream>

namespace tabula {

Action Playout::weighted(const State& state, std::span<const Action> legal, Rng& rng) {
  state.odds(legal, odds_);
  float left = rng.uniform();
  std::size_t i = 0;
  while (i + 1 < legal.size() && (left -= odds_[i]) >= 0) ++i;
  return legal[i];
}

std::string moves_text(State from, std::span<const Action> moves) {
  std::string text;
  bool sound = true;
  for (Action action : moves) {
    std::string name = std::to_string(action);
    try {
      if (sound) name = from.text(action);
      if (sound) from.apply(action);
    } catch (const GameError&) {
      sound = false;
    }
    text += (text.empty() ? "" : " ") + name;
  }
  return text;
}

GameError with_moves(const GameError& error, const State& from, std::span<const Action> moves) {
  if (moves.empty()) return error;
  return GameError(std::string(error.what()) + ", after " + moves_text(from, moves));
}

namespace {

Action named_move(const State& state, const std::string& word) {
  const std::string where = "move " + std::to_string(state.ply() + 1) + ", '" + word + "'";
  if (state.over()) throw Error(where + ", comes after the end of the game.");
  if (const auto action = state.parse(word)) return *action;
  std::string legal;
  for (Action a : state.legal()) legal += " " + state.text(a);
  throw Error(where + ", is not legal in " + state.rules().name() + "; legal are:" + legal);
}

}  // namespace

State play_moves(const Rules& rules, std::string_view moves) {
  State state(rules);
  std::vector<Action> played;
  std::istringstream words{std::string(moves)};
  try {
    for (std::string word; words >> word;) {
      played.push_back(named_move(state, word));
      state.apply(played.back());
    }
  } catch (const GameError& e) {
    throw with_moves(e, State(rules), played);
  }
  return state;
}

}  // namespace tabula
