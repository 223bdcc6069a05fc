#include "core/data/game_check.h"

#include <algorithm>

#include "core/data/examples.h"
#include "core/game/playout.h"
#include "core/game/state.h"

namespace tabula {
namespace {

std::string ply_text(std::size_t index) { return "ply " + std::to_string(index + 1); }

void check_identity(const StoredGame& game, const Rules& rules) {
  if (game.game != rules.name())
    throw Error("it is a game of " + game.game + ", not of " + rules.name());
  if (game.rules != rules.fingerprints().rules)
    throw Error("it was played by other rules of " + game.game);
  const auto most = std::size_t(rules.table().max_plies);
  if (game.record.plies.size() > most)
    throw Error("it has " + std::to_string(game.record.plies.size()) + " plies, and " + game.game +
                " ends after " + std::to_string(most));
}

// requires: ascending, both
bool all_legal(std::span<const PolicyEntry> policy, std::span<const Action> legal) {
  auto from = legal.begin();
  for (const PolicyEntry& entry : policy) {
    from = std::lower_bound(from, legal.end(), entry.action);
    if (from == legal.end() || *from != entry.action) return false;
  }
  return true;
}

void check_ply(const StoredGame& game, std::size_t index, const State& state,
               std::span<Action> room) {
  const GameRecord& record = game.record;
  const PlyRecord& ply = record.plies[index];
  if (state.over()) throw Error(ply_text(index) + " comes after the end");
  if (ply.chance != state.at_chance())
    throw Error(ply_text(index) + (ply.chance ? " is said to be dice where a player moves"
                                              : " is said to be a move where dice fall"));
  const std::span<const Action> legal = state.legal(room);
  if (!std::ranges::binary_search(legal, ply.action))
    throw Error(ply_text(index) + " plays the action " + std::to_string(ply.action) +
                ", which is not legal there");
  if (!all_legal(record.policy_of(ply), legal))
    throw Error(ply_text(index) + " has a policy on a move that is not legal there");
  if (ply.resign && record.resigner != state.turn())
    throw Error(ply_text(index) + " is where player " + std::to_string(record.resigner) +
                " gave up, but the other one moves there");
  if (is_example(ply) && game.models[ply.model] == kForeign &&
      ply.value != Wdl::certain(record.result).seen_by(state.turn()))
    throw Error(ply_text(index) + " was played by somebody else, but its value is not the result");
}

// How it ended, given the position after its last ply.
void check_end(const GameRecord& record, const State& state) {
  const bool given_up = record.resigner >= 0 && !record.play_on;
  switch (record.ending) {
    case Ending::none:
      if (state.over()) throw Error("it is adjourned, but over");
      if (given_up) throw Error("it is adjourned, but was given up");
      return;
    case Ending::resigned:
      if (state.over()) throw Error("it was given up after its end");
      return;
    case Ending::by_rules:
    case Ending::adjudicated:
      if (!state.over()) throw Error("it is said to have ended, but goes on");
      if (state.cut() != (record.ending == Ending::adjudicated))
        throw Error(state.cut() ? "it is said to have ended by the rules, but was adjudicated"
                                : "it is said to be adjudicated, but ended by the rules");
      if (state.result() != record.result)
        throw Error("its result is " + std::to_string(record.result) + ", but should be " +
                    std::to_string(state.result()));
  }
}

void replay(const StoredGame& game, const Rules& rules) {
  const GameRecord& record = game.record;
  std::size_t played = 0;
  const State start(rules);
  try {
    State state = start;
    std::vector<Action> room(std::size_t(rules.max_legal()));
    for (; played < record.plies.size(); ++played) {
      check_ply(game, played, state, room);
      state.apply(record.plies[played].action);
    }
    check_end(record, state);
  } catch (const GameError& error) {
    std::vector<Action> moves;
    for (std::size_t i = 0; i < played; ++i) moves.push_back(record.plies[i].action);
    throw with_moves(error, start, moves);
  }
}

}  // namespace

std::optional<std::string> fault_in(const StoredGame& game, const Rules& rules) try {
  check_form(game);
  check_identity(game, rules);
  replay(game, rules);
  return {};
} catch (const GameError& error) {
  return std::string("its rules could not be asked: ") + error.what() + ".";
} catch (const Error& error) {
  return error.what() + std::string(".");
}

}  // namespace tabula
