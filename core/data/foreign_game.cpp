#include "core/data/foreign_game.h"

#include <algorithm>

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/data/examples.h"
#include "core/game/state.h"

namespace tabula {
namespace {

constexpr std::size_t kMostShown = 40;  // of a move that is none

Action played(const State& state, const ForeignMove& move, std::size_t ply) {
  const std::string place = "ply " + std::to_string(ply + 1);
  if (state.over()) throw Error(place + " comes after the end");
  if (const auto* number = std::get_if<Action>(&move)) {
    if (!std::ranges::binary_search(state.legal(), *number))
      throw Error(place + " plays the action " + std::to_string(*number) +
                  ", which is not legal there");
    return *number;
  }
  const std::optional<Action> action = state.parse(std::get<std::string>(move));
  if (!action)
    throw Error(place + " plays '" + printable(std::get<std::string>(move), kMostShown) +
                "', which is not legal there");
  return *action;
}

// Ends the record with the loser's last move. requires: the game goes on after its moves
void give_up(GameRecord& record, std::vector<int>& movers) {
  if (record.result == 0) throw Error("it goes on after its last move, and nobody lost");
  const int loser = record.result > 0 ? 1 : 0;
  while (!movers.empty() && movers.back() != loser) {
    movers.pop_back();
    record.plies.pop_back();
  }
  if (movers.empty()) throw Error("it goes on after its last move, and the loser never moved");
  record.plies.back().resign = true;
  record.resigner = loser;
  record.ending = Ending::resigned;
}

GameId id_of(const StoredGame& game) {
  DigestStream stream;
  stream.add(kForeign).add_number(game.rules).add_number(std::uint64_t(game.record.result));
  for (const PlyRecord& ply : game.record.plies) stream.add_number(std::uint64_t(ply.action));
  const Digest digest = stream.finish();
  GameId id;
  std::copy_n(digest.begin(), id.size(), id.begin());
  return id;
}

}  // namespace

StoredGame foreign_game(const Rules& rules, std::span<const ForeignMove> moves, int result,
                        const std::string& worker) {
  if (result < -1 || result > 1) throw Error("its result is not +1, 0 or -1");
  StoredGame game;
  game.game = rules.name();
  game.rules = rules.fingerprints().rules;
  game.models = {std::string(kForeign)};
  game.worker = worker;
  GameRecord& record = game.record;
  record.result = result;
  State state(rules);
  std::vector<int> movers;
  for (const ForeignMove& move : moves) {
    const Action action = played(state, move, record.plies.size());
    PlyRecord ply{.action = action, .chance = state.at_chance()};
    if (is_example(ply)) ply.value = Wdl::certain(result).seen_by(state.turn());
    movers.push_back(state.turn());
    record.plies.push_back(ply);
    state.apply(action);
  }
  if (!state.over()) {
    give_up(record, movers);
  } else {
    record.ending = state.cut() ? Ending::adjudicated : Ending::by_rules;
    if (state.result() != result)
      throw Error("its result is " + std::to_string(result) + ", but should be " +
                  std::to_string(state.result()));
  }
  game.id = id_of(game);
  return game;
}

}  // namespace tabula
