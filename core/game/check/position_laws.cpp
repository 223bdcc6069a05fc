#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/base/hash.h"
#include "core/base/joined.h"
#include "core/game/check/laws.h"

namespace tabula {
namespace {}  // namespace

void check_turn(Specimen& position) {
  const int turn = position.turn();
  if (turn < TABULA_OVER || turn > 1)
    position.breach("turn is 0, 1, chance or over", "0, 1, -1 (chance) or -2 (over)",
                    std::to_string(turn));
  if (turn == TABULA_CHANCE && position.rules().table().outcomes == 0)
    position.breach("a game with dice declares outcomes", "outcomes > 0", "a chance node");
  if (turn == TABULA_OVER && position.ply() == 0)
    position.breach("a game begins before it is over", "a turn at the start", "over");
}

namespace {

std::vector<Action> check_legal(Specimen& position) {
  std::vector<Action> legal = position.legal();
  const std::vector<Action> again = position.legal();
  if (legal != again)
    position.breach("legal moves are stable", "the same moves when asked again: " + joined(legal),
                    joined(again));
  if (legal.empty())
    position.breach("a position that is not over has a move", "at least one move, or turn() = over",
                    "none");
  const auto descent = std::ranges::adjacent_find(legal, std::greater_equal());
  if (descent != legal.end())
    position.breach("legal moves ascend", "each move once, in ascending order", joined(legal));
  const bool dice = position.turn() == TABULA_CHANCE;
  const auto& t = position.rules().table();
  const int end = dice ? t.outcomes : t.actions;
  if (legal.front() < 0 || legal.back() >= end)
    position.breach(
        "legal moves are in range",
        std::string(dice ? "outcomes" : "actions") + " from 0 to " + std::to_string(end - 1),
        joined(legal));
  return legal;
}

void check_odds(Specimen& position, std::span<const Action> outcomes) {
  const std::vector<float> odds = position.odds(outcomes);
  for (std::size_t i = 0; i < odds.size(); ++i)
    if (!(odds[i] > 0))
      position.breach("odds are positive and sum to one",
                      "a positive chance for outcome " + std::to_string(outcomes[i]),
                      std::to_string(odds[i]));
  const double sum = std::accumulate(odds.begin(), odds.end(), 0.0);
  if (std::abs(sum - 1) > 1e-5)
    position.breach("odds are positive and sum to one", "1", std::to_string(sum));
}

void check_names(Specimen& position, std::span<const Action> legal) {
  if (!position.rules().table().action_text) return;  // the engine's own names are sound
  std::map<std::string, Action> named;
  for (Action a : legal) {
    const std::string name = position.text(a);
    const auto blank = [](char c) { return c <= ' ' || c == 0x7f; };
    if (name.empty() || std::ranges::any_of(name, blank))
      position.breach("a move's name is one word", "a word for action " + std::to_string(a),
                      "'" + name + "'");
    const auto [other, fresh] = named.emplace(name, a);
    if (!fresh)
      position.breach("move names are unique in a position",
                      "different names for actions " + std::to_string(other->second) + " and " +
                          std::to_string(a),
                      "'" + name + "' for both");
    if (!position.rules().table().parse) continue;
    const Action parsed = position.parse(name);
    if (parsed != a)
      position.breach("parse() inverts text()",
                      "action " + std::to_string(a) + " from its name '" + name + "'",
                      std::to_string(parsed));
  }
}

void check_view(Specimen& position, std::span<const Action> legal) {
  const auto& t = position.rules().table();
  if (t.board_text) position.board();
  if (t.piece)
    for (int cell = 0; cell < position.rules().cells(); ++cell) position.piece(cell);
  if (!t.touched || position.turn() == TABULA_CHANCE) return;
  for (Action a : legal)
    for (int cell : position.touched(a))
      if (cell < 0 || cell >= position.rules().cells())
        position.breach("touched cells are on the board",
                        "cells from 0 to " + std::to_string(position.rules().cells() - 1) +
                            " for action " + std::to_string(a),
                        std::to_string(cell));
}

}  // namespace

std::uint64_t behaviour(Specimen& position) {
  Hash hash;
  const int turn = position.turn();
  hash.add(std::uint64_t(turn));
  if (turn == TABULA_OVER) return hash.add(std::uint64_t(position.result())).value();
  const std::vector<Action> legal = position.legal();
  hash.add_bytes(std::as_bytes(std::span(legal)));
  const std::vector<float> answers =
      turn == TABULA_CHANCE ? position.odds(legal) : position.encode();
  return hash.add_bytes(std::as_bytes(std::span(answers))).value();
}

void check_position(Specimen& position) {
  check_turn(position);
  const std::vector<Action> legal = check_legal(position);
  if (position.turn() == TABULA_CHANCE)
    check_odds(position, legal);
  else if (position.encode() != position.encode())
    position.breach("planes are stable", "the same planes when asked again", "other planes");
  check_names(position, legal);
  check_view(position, legal);
}

int result_of(Specimen& position) {
  return position.turn() == TABULA_OVER ? position.result() : position.result_at_limit();
}

void check_end(Specimen& position) {
  const char* method = position.turn() == TABULA_OVER ? "result()" : "result_at_limit()";
  const int result = result_of(position);
  if (result < -1 || result > 1)
    position.breach("results are +1, 0 or -1", std::string("a sign from ") + method,
                    std::to_string(result));
  Specimen copy(position, Trace::kTwin);
  for (const int again : {result_of(position), result_of(copy)})
    if (again != result)
      position.breach("equal bytes behave equally",
                      std::to_string(result) + " from " + method + " whenever it is asked",
                      std::to_string(again));
  if (position.rules().table().final_planes > 0)
    for (int player : {0, 1}) position.encode_final(player);
  check_view(position, {});
}

void IdentityLaw::check(Specimen& position) {
  const std::uint64_t here = behaviour(position);
  Specimen copy(position, Trace::kTwin);
  if (behaviour(copy) != here)
    position.breach("equal bytes behave equally", "the same answers from a copy of the position",
                    "other legal moves or planes: the game looks at something but its members");
  const auto key = position.key();
  const auto [met, fresh] = behaviour_of_.emplace(Hash().add_bytes(key).value(), here);
  if (!fresh && met->second != here)
    position.breach("equal bytes behave equally",
                    "the legal moves and planes of an earlier position with the same " +
                        std::string(position.rules().table().key ? "key()" : "bytes"),
                    "others: something that decides them is missing there");
}

void IdentityLaw::check_move(const Specimen& before, Action action, Specimen& after) {
  Specimen twin(before, Trace::kTwin);
  twin.apply(action);
  if (!std::ranges::equal(twin.bytes(), after.bytes()))
    after.breach("equal bytes behave equally",
                 "the same position when action " + std::to_string(action) + " is played again",
                 "other bytes: apply() looks at something but its members");
}

void check_play_out(const Rules& rules, Trace& trace, std::uint64_t seed) {
  if (!rules.table().play_out) return;
  Specimen at_once(rules, trace, Trace::kOther), by_move(rules, trace, Trace::kMain);
  std::uint64_t random[2];
  Rng rng(seed);
  rng.save(random);
  const int played = at_once.play_out(random, rules.table().max_plies);
  while (by_move.turn() != TABULA_OVER && by_move.ply() < rules.table().max_plies) {
    const std::vector<Action> legal = by_move.legal();
    const bool by_odds = by_move.turn() == TABULA_CHANCE && rules.table().odds;
    std::size_t i = 0;
    if (by_odds) {
      const std::vector<float> odds = by_move.odds(legal);
      float left = rng.uniform();
      while (i + 1 < legal.size() && (left -= odds[i]) >= 0) ++i;
    } else {
      i = rng.below(std::uint32_t(legal.size()));
    }
    by_move.apply(legal[i]);
  }
  if (played != by_move.ply() || !std::ranges::equal(at_once.bytes(), by_move.bytes()))
    by_move.breach("play_out() is random play by apply() and legal()",
                   std::to_string(by_move.ply()) + " moves to this position",
                   std::to_string(played) + " moves, or another position");
}

}  // namespace tabula
