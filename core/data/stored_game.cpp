#include "core/data/stored_game.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/error.h"
#include "core/data/examples.h"

namespace tabula {
namespace {

constexpr double kTolerance = 1e-4;  // of what a search adds up

std::string ply_text(std::size_t index) { return "ply " + std::to_string(index + 1); }

bool sums_to_one(double sum) { return std::abs(sum - 1) <= kTolerance; }  // false for NaN

bool is_model_id(std::string_view id) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  return !id.empty() && id.size() <= kMaxModelId && std::ranges::all_of(id, allowed);
}

// Texts end up in logs and on pages.
void check_text(std::string_view text, std::size_t most, const char* what, bool lines) {
  if (text.size() > most)
    throw Error(std::string(what) + " is longer than " + std::to_string(most) + " bytes");
  const auto shown = [&](char c) { return (c >= ' ' && c <= '~') || (lines && c == '\n'); };
  if (!std::ranges::all_of(text, shown))
    throw Error(std::string(what) + " has characters that are not printable ASCII");
}

void check_origin(const StoredGame& game) {
  if (!is_game_name(game.game)) throw Error("the game's name is not " TABULA_NAME_RULE);
  if (game.models.size() > kMaxModels)
    throw Error("there are more than " + std::to_string(kMaxModels) + " models");
  if (!std::ranges::all_of(game.models, is_model_id))
    throw Error("a model's id is not 1 to 64 characters from a-z, 0-9, _ and -");
  if (std::set(game.models.begin(), game.models.end()).size() != game.models.size())
    throw Error("a model is listed twice");
  check_text(game.settings, kMaxSettings, "the text of the search settings", true);
  check_text(game.worker, kMaxWorker, "the worker's name", false);
}

void check_value(const Wdl& value, std::size_t ply) {
  const auto chance = [](float x) { return x >= -kTolerance && x <= 1 + kTolerance; };
  if (!chance(value.win) || !chance(value.draw) || !chance(value.loss))
    throw Error(ply_text(ply) + " has a value that is not made of chances");
  if (!sums_to_one(double(value.win) + value.draw + value.loss))
    throw Error(ply_text(ply) + " has a value that does not sum to 1");
}

void check_policy(std::span<const PolicyEntry> policy, std::size_t ply) {
  Action last = -1;
  double sum = 0;
  for (const PolicyEntry& entry : policy) {
    if (entry.action <= last || entry.action >= TABULA_MAX_ACTIONS)
      throw Error(ply_text(ply) + " has a policy whose moves do not ascend within the limits");
    if (!(entry.weight > 0))
      throw Error(ply_text(ply) + " has a policy with a weight that is not above 0");
    last = entry.action;
    sum += entry.weight;
  }
  if (!sums_to_one(sum)) throw Error(ply_text(ply) + " has a policy that does not sum to 1");
}

void check_foreign(const StoredGame& game, std::size_t index) {
  const PlyRecord& ply = game.record.plies[index];
  const Wdl& value = ply.value;
  const bool certain = value.win == 1 || value.draw == 1 || value.loss == 1;
  if (game.adjourned() || ply.full || ply.descents != 0 || !certain)
    throw Error(ply_text(index) + " was played by somebody else, but has findings");
}

void check_searched(const StoredGame& game, std::size_t index, std::size_t& policy_at) {
  const PlyRecord& ply = game.record.plies[index];
  if (ply.model >= game.models.size())
    throw Error(ply_text(index) + " names a model that is not in the table");
  check_value(ply.value, index);
  if (game.models[ply.model] == kForeign) check_foreign(game, index);
  if (!ply.full) return;
  if (ply.policy_begin != policy_at || ply.policy_end <= policy_at ||
      ply.policy_end > game.record.policy.size())
    throw Error(ply_text(index) + " has a policy that does not follow the one before it");
  check_policy(game.record.policy_of(ply), index);
  policy_at = ply.policy_end;
}

void check_plies(const StoredGame& game) {
  const GameRecord& record = game.record;
  if (record.plies.size() > TABULA_MAX_PLIES)
    throw Error("it has more than " + std::to_string(TABULA_MAX_PLIES) + " plies");
  std::size_t policy_at = 0, openings = 0;
  for (std::size_t i = 0; i < record.plies.size(); ++i) {
    const PlyRecord& ply = record.plies[i];
    if (ply.action < 0 || ply.action >= TABULA_MAX_ACTIONS)
      throw Error(ply_text(i) + " has an action beyond the limits");
    if (ply.opening && openings++ != i)
      throw Error(ply_text(i) + " is an opening in the middle of the game");
    if (is_example(ply)) {
      check_searched(game, i, policy_at);
    } else {
      PlyRecord bare{.action = ply.action, .opening = ply.opening, .chance = ply.chance};
      if (ply != bare) throw Error(ply_text(i) + " was not searched, but has findings");
    }
    if (!ply.full && (ply.policy_begin != 0 || ply.policy_end != 0))
      throw Error(ply_text(i) + " has a policy without a full search");
  }
  if (policy_at != record.policy.size()) throw Error("it has policy entries that belong to no ply");
}

// The first who would give up marks a ply. It is the last one, unless the game is played on.
void check_resigning(const GameRecord& record) {
  const auto marked = [](const PlyRecord& ply) { return ply.resign; };
  const auto marks = std::ranges::count_if(record.plies, marked);
  if (record.resigner < -1 || record.resigner > 1 || marks != (record.resigner >= 0 ? 1 : 0))
    throw Error("who gave up, and at which ply, do not agree");
  const bool last = !record.plies.empty() && record.plies.back().resign;
  if (marks > 0 && !last && !record.play_on)
    throw Error("it goes on after player " + std::to_string(record.resigner) + " gave up");
  if (record.ending != Ending::resigned) return;
  if (!last) throw Error("it ended by resigning, but nobody gave up at the last ply");
  if (record.play_on) throw Error("it ended by resigning where nobody may");
  if (record.result != (record.resigner == 0 ? -1 : 1))
    throw Error("it was given up by player " + std::to_string(record.resigner) +
                ", who is not the loser");
}

void check_end(const GameRecord& record) {
  if (record.ending > Ending::adjudicated) throw Error("it ended in no known way");
  if (record.result < -1 || record.result > 1) throw Error("its result is not +1, 0 or -1");
  if (record.ending == Ending::none && record.result != 0)
    throw Error("it has a result, but has not ended");
}

}  // namespace

void check_form(const StoredGame& game) {
  check_origin(game);
  check_plies(game);
  check_end(game.record);
  check_resigning(game.record);
}

}  // namespace tabula
