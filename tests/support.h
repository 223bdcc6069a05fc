// What tests share.
#pragma once
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>

#include "core/game/playout.h"
#include "core/game/registry.h"

namespace tabula {

// A shipped game, by name. The tests' program stands in bin/ beside the others, so it finds the
// plugins as they do.
inline const Rules& shipped(std::string_view name) {
  static std::mutex one_at_a_time;
  static Registry registry({installed_plugins()});
  const std::lock_guard lock(one_at_a_time);
  return *registry.find(name);
}

// The position after named moves, dice included: after(shipped("connect4"), "4 4 3").
inline State after(const Rules& rules, std::string_view moves) { return play_moves(rules, moves); }

// The names of the legal moves, in order: "1 2 3 4 5 6 7".
inline std::string legal_text(const State& state) {
  std::string text;
  for (Action action : state.legal()) text += (text.empty() ? "" : " ") + state.text(action);
  return text;
}

}  // namespace tabula
