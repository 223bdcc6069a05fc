// A game as it was played: what a store keeps and a trainer learns from.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/wdl.h"
#include "core/game/rules.h"

namespace tabula {

enum class Ending : std::uint8_t {
  none,         // it goes on
  by_rules,     // of the game
  resigned,     // a player gave up after the last ply
  adjudicated,  // at max_plies
};

struct PolicyEntry {
  Action action;
  float weight;  // more than 0; the entries of a ply sum to 1
  bool operator==(const PolicyEntry&) const = default;
};

// What happened at one ply. A ply that was searched is neither opening nor chance.
struct PlyRecord {
  Action action = 0;     // at a chance node: the outcome
  bool opening = false;  // drawn at random
  bool chance = false;
  bool full = false;           // a full search: the ply has a policy
  bool resign = false;         // the mover gives up now, or would if this game were not played on
  std::uint32_t model = 0;     // the caller's number of the evaluator that was asked
  std::uint32_t descents = 0;  // walks that the search took
  Wdl value = {};              // of the search, for the mover; zeros if there was none
  std::uint32_t policy_begin = 0, policy_end = 0;  // in GameRecord::policy
  bool operator==(const PlyRecord&) const = default;
};

struct GameRecord {
  std::uint64_t number = 0, seed = 0;  // the caller's
  Ending ending = Ending::none;
  int result = 0;        // +1, 0, -1 for player 0, once it has ended
  int resigner = -1;     // the player who gave up first, or would have: see PlyRecord::resign
  bool play_on = false;  // nobody may give up
  std::vector<PlyRecord> plies;
  std::vector<PolicyEntry> policy;  // of all plies, in order: one array that keeps its memory

  std::span<const PolicyEntry> policy_of(const PlyRecord& ply) const {
    return std::span(policy).subspan(ply.policy_begin, ply.policy_end - ply.policy_begin);
  }
  void clear() {  // keeps the memory
    number = seed = 0;
    ending = Ending::none;
    result = 0;
    resigner = -1;
    play_on = false;
    plies.clear();
    policy.clear();
  }
  bool operator==(const GameRecord&) const = default;
};

}  // namespace tabula
