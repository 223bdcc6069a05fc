#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/rng.h"
#include "core/game/game.h"
#include "core/game/rules.h"

namespace tabula {

// A position: a regular value that outlives nothing but its Rules. Small states live inside it;
// copying into a State of the same game never allocates, so hot loops keep one as scratch space.
// Any method throws GameError if the game's own method failed.
class State {
 public:
  explicit State(const Rules& rules);
  State(const State& other);
  State& operator=(const State& other) {
    if (rules_ != other.rules_ || !large_ != !other.large_) return *this = State(other);
    copy(other);
    return *this;
  }
  State(State&&) noexcept = default;  // what was moved from may only be assigned to or destroyed
  State& operator=(State&&) noexcept = default;

  const Rules& rules() const { return *rules_; }
  int ply() const { return ply_; }    // moves and dice so far: the engine counts, not the game
  int turn() const { return turn_; }  // 0, 1, chance or over; over at max_plies whatever the game
  bool over() const { return turn_ == TABULA_OVER; }
  bool at_chance() const { return turn_ == TABULA_CHANCE; }

  // Moves, or at a chance node outcomes, ascending. requires: !over(), room for max_legal()
  std::span<Action> legal(std::span<Action> room) const {
    const auto& t = rules_->table();
    return room.first(
        std::size_t(rules_->checked_count(t.legal(bytes(), room.data(), rules_->max_legal()))));
  }
  std::vector<Action> legal() const;
  // One probability per outcome. requires: at_chance()
  void odds(std::span<const Action> outcomes, std::span<float> out) const;

  // requires: the action is legal
  void apply(Action action) {
    turn_ = std::int8_t(rules_->checked(rules_->table().apply(bytes(), action), "apply"));
    if (++ply_ >= rules_->table().max_plies) [[unlikely]]
      stop();
  }
  // Random play to the end inside the game's own code, which saves a thousand calls. False, and
  // nothing done, if the game does not offer it. After a GameError the position is lost.
  bool play_out(Rng& rng);
  int result() const;                // +1, 0, -1 for player 0. requires: over()
  bool cut() const { return cut_; }  // over by max_plies, not by the rules

  // As the mover sees it. requires: a player moves; room for plane_floats()
  void encode(std::span<float> planes) const {
    rules_->checked(rules_->table().encode(bytes(), planes.data()), "encode");
  }

  // As `player` sees the end: +1 for what is theirs. requires: over(), final_planes > 0
  void encode_final(int player, std::span<float> planes) const {
    rules_->checked(rules_->table().encode_final(bytes(), player, planes.data()), "encode_final");
  }

  std::string text(Action action) const;  // a move's name, or an outcome's, in this position
  std::string board() const;
  std::optional<Action> parse(std::string_view move) const;  // a legal move by its name
  int piece(int cell) const;                      // 0, +kind of player 0, -kind of player 1
  std::vector<int> touched(Action action) const;  // the cells a move touches

  std::uint64_t hash() const;  // of what decides encode and legal
  std::span<const std::byte> state_bytes() const { return {bytes(), rules_->table().state_size}; }
  // Becomes another position of its game. requires: bytes as state_bytes() gives them, not over
  void restore(const std::byte* state_bytes, int ply, int turn) {
    std::memcpy(bytes(), state_bytes, rules_->table().state_size);
    ply_ = ply;
    turn_ = std::int8_t(turn);
    cut_ = false;
  }
  bool operator==(const State& other) const;

 private:
  static constexpr std::size_t kSmall = 96, kSmallAlign = 16, kLargeAlign = 64;
  struct Free {
    void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t(kLargeAlign)); }
  };

  std::byte* bytes() { return large_ ? large_.get() : small_; }
  const std::byte* bytes() const { return large_ ? large_.get() : small_; }
  void stop() {
    cut_ = turn_ != TABULA_OVER;
    turn_ = TABULA_OVER;
  }
  void copy(const State& other) {
    ply_ = other.ply_;
    turn_ = other.turn_;
    cut_ = other.cut_;
    if (large_)
      std::memcpy(large_.get(), other.large_.get(), rules_->table().state_size);
    else
      std::memcpy(small_, other.small_, kSmall);  // a constant size: a few register moves
  }

  const Rules* rules_;
  std::unique_ptr<std::byte[], Free> large_;  // null: the state is in small_
  std::int32_t ply_ = 0;
  std::int8_t turn_ = 0;
  bool cut_ = false;
  alignas(kSmallAlign) std::byte small_[kSmall] = {};
};

}  // namespace tabula
