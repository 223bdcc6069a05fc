#include "core/data/game_json.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/data/examples.h"
#include "core/game/state.h"

namespace tabula {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kEndings[] = {"adjourned", "by_rules", "resigned", "adjudicated"};

// What a line says of one ply, in the position before it, if the rules are known.
struct PlyTexts {
  const std::optional<State>& state;

  Json move(Action action) const { return state ? Json(state->text(action)) : Json(action); }
  Json policy(std::span<const PolicyEntry> entries) const {
    Json policy = Json::object();
    for (const PolicyEntry& entry : entries)
      policy[state ? state->text(entry.action) : std::to_string(entry.action)] = entry.weight;
    return policy;
  }
};

}  // namespace

std::string game_json(const StoredGame& game, const Rules* rules, bool policies) {
  const GameRecord& record = game.record;
  Json line = {{"id", hex(game.id)},
               {"game", game.game},
               {"worker", game.worker},
               {"models", game.models},
               {"ending", kEndings[std::size_t(record.ending)]},
               {"result", record.result},
               {"moves", Json::array()}};
  if (policies) line["values"] = line["policies"] = Json::array();
  std::optional<State> state;
  if (rules) state.emplace(*rules);
  const PlyTexts texts{state};
  for (const PlyRecord& ply : record.plies) {
    line["moves"].push_back(texts.move(ply.action));
    if (policies) {
      const Wdl& v = ply.value;
      line["values"].push_back(is_example(ply) ? Json{v.win, v.draw, v.loss} : Json());
      line["policies"].push_back(ply.full ? texts.policy(record.policy_of(ply)) : Json());
    }
    if (state) state->apply(ply.action);
  }
  return line.dump(-1, ' ', true, Json::error_handler_t::replace);
}

ForeignLine read_game_json(std::string_view line) {
  const auto json = nlohmann::json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("moves") || !json["moves"].is_array())
    throw Error("it is not an object of JSON with a list \"moves\"");
  if (!json.contains("result") || !json["result"].is_number_integer())
    throw Error("it has no \"result\" of 1, 0 or -1");
  ForeignLine game;
  const auto& result = json["result"];  // one above 2^63 would come out negative
  const bool beyond = result.is_number_unsigned() ? result.get<std::uint64_t>() > 1
                                                  : result.get<std::int64_t>() < -1;
  game.result = beyond ? 2 : result.get<int>();
  for (const auto& move : json["moves"]) {
    if (move.is_string())
      game.moves.emplace_back(move.get<std::string>());
    else if (move.is_number_unsigned() && move.get<std::uint64_t>() < TABULA_MAX_ACTIONS)
      game.moves.emplace_back(Action(move.get<std::uint64_t>()));
    else
      throw Error("it has a move that is neither a name nor a number");
  }
  return game;
}

}  // namespace tabula
