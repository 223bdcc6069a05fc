#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/game/game_abi.h"
#include "core/game/names.h"
#include "core/game/symmetry.h"

namespace tabula {

// A method of a game failed. Whoever knows the moves that led there adds them (playout.h).
class GameError : public Error {
 public:
  using Error::Error;
};

// What a game is, as far as play can tell. `rules` covers turn, legal, odds, apply and result;
// `encoding` covers planes and the action map. Records bind to the first, models to both.
struct Fingerprints {
  std::uint64_t rules, encoding;
  bool operator==(const Fingerprints&) const = default;
};

// The rules of one game: a plugin's table, checked and completed. Immutable, hence thread-safe.
class Rules {
 public:
  // Throws Error if the table is of another ABI, lacks a function or carries absurd numbers.
  Rules(const tabula_game* table, std::filesystem::path origin);

  const std::string& name() const { return name_; }
  const std::filesystem::path& origin() const { return origin_; }  // the plugin's file
  const tabula_game& table() const { return table_; }              // null pointers mean defaults

  int actions() const { return table_.actions; }
  int max_legal() const { return max_legal_; }  // most entries legal() may write
  int cells() const { return table_.rows * table_.cols; }
  int plane_floats() const { return table_.planes * cells(); }
  bool has_chance() const { return table_.outcomes > 0; }

  Symmetry symmetry() const { return Symmetry(table_.symmetry); }
  int symmetries() const { return group_of(symmetry()).order; }
  int map_cell(int symmetry, int cell) const { return cell_map_[symmetry * cells() + cell]; }
  Action map_action(int symmetry, Action a) const { return action_map_[symmetry * actions() + a]; }
  Action map_outcome(int symmetry, Action outcome) const;
  // Turns `planes` planes over: out[map_cell(c)] = in[c]. requires: in and out apart.
  void map_planes(int symmetry, int planes, const float* in, float* out) const;

  Fingerprints fingerprints() const;  // played out at the first call

  // Throws GameError if a table function returned TABULA_ERROR.
  std::int32_t checked(std::int32_t returned, const char* method) const {
    if (returned == TABULA_ERROR) [[unlikely]]
      fail(method);
    return returned;
  }
  // The same for a count of legal moves, which is at least 1 and at most max_legal().
  std::int32_t checked_count(std::int32_t count) const {
    if (std::uint32_t(count) - 1 >= std::uint32_t(max_legal_)) [[unlikely]]
      fail_count(count);
    return count;
  }
  [[noreturn]] void fail(const char* method) const;
  [[noreturn]] void fail_count(std::int32_t count) const;

 private:
  Action mapped_action(int symmetry, Action action) const;

  tabula_game table_{};
  std::string name_;
  std::filesystem::path origin_;
  int max_legal_ = 0;
  std::vector<int> cell_map_, action_map_;  // [symmetry][cell or action]
  mutable std::once_flag fingerprinted_;
  mutable Fingerprints fingerprints_{};
};

using RulesPtr = std::shared_ptr<const Rules>;

}  // namespace tabula
