// What a game author includes: derive from Game, then name the class in TABULA_GAMES.
// docs/contract.md is the reference; docs/your-own-game.md the tutorial.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>

#include "core/game/game_abi.h"
#include "core/game/names.h"
#include "core/game/symmetry.h"

namespace tabula {

constexpr int chance = TABULA_CHANCE, over = TABULA_OVER;  // what turn() may say besides 0 and 1
constexpr Action no_action = TABULA_NO_ACTION;

// Where legal() puts its moves, in ascending order. Refuses more than the game declared.
class Actions {
 public:
  Actions(Action* out, int capacity) : out_(out), capacity_(capacity) {}

  void add(Action action) {
    if (size_ == capacity_) refuse();
    out_[size_++] = action;
  }
  void add_range(Action first, Action end) {
    if (end - first > capacity_ - size_) refuse();
    for (; first < end; ++first) out_[size_++] = first;
  }
  int size() const { return size_; }

 private:
  [[noreturn, gnu::cold, gnu::noinline]] void refuse() const {
    throw std::length_error("added more than the " + std::to_string(capacity_) +
                            " entries that the game declares");
  }
  Action* out_;
  int capacity_;
  int size_ = 0;
};

using Cells = Actions;  // where touched() puts cells, in the order from, to

// Where encode() writes. Every cell of every plane must be written; none is cleared beforehand.
class Planes {
 public:
  Planes(float* out, int cells) : out_(out), cells_(cells) {}

  float& operator()(int plane, int cell) { return out_[plane * cells_ + cell]; }
  void fill(int plane, float value) {
    for (int cell = 0; cell < cells_; ++cell) (*this)(plane, cell) = value;
  }
  // 1 on the cells of a Bitboard (or of anything with test(cell)), 0 elsewhere.
  template <class Set>
  void set(int plane, const Set& set) {
    for (int cell = 0; cell < cells_; ++cell) (*this)(plane, cell) = float(set.test(cell));
  }

 private:
  float* out_;
  int cells_;
};

// Base of every game: what may be left out. A position is a plain value: trivially copyable and
// without padding, so that its bytes are its identity.
template <class Derived>
struct Game {
  static constexpr int outcomes = 0;       // of dice; 0: none
  static constexpr int action_planes = 0;  // k: action = k-th plane * cells + cell, then extras
  static constexpr int final_planes = 0;   // written by encode_final()
  static constexpr Symmetry symmetry = Symmetry::none;

  // Where the index-th symmetry of this game sends a cell; 0 is the identity.
  static constexpr int map_cell(int index, int cell) {
    return tabula::map_cell(Derived::symmetry, index, Derived::rows, Derived::cols, cell);
  }
  static std::string cell_text(int cell) {
    return tabula::cell_text(Derived::rows, Derived::cols, cell);
  }
};

}  // namespace tabula

#include "core/game/adapter.h"

// The plugin's one exported symbol, for one or more classes.
#define TABULA_GAMES(...)                                            \
  extern "C" const tabula_game* tabula_game_at(std::int32_t index) { \
    return ::tabula::table_at<__VA_ARGS__>(index);                   \
  }
