#include "core/game/state.h"

#include <algorithm>
#include <array>

#include "core/base/hash.h"

namespace tabula {

State::State(const Rules& rules) : rules_(&rules) {
  const tabula_game& t = rules.table();
  if (t.state_size > kSmall || t.state_align > kSmallAlign) {
    large_.reset(new (std::align_val_t(kLargeAlign)) std::byte[t.state_size]);
    std::ranges::fill_n(large_.get(), t.state_size, std::byte{});
  }
  turn_ = std::int8_t(rules.checked(t.start(bytes()), "the constructor"));
}

State::State(const State& other) : rules_(other.rules_) {
  if (other.large_)
    large_.reset(new (std::align_val_t(kLargeAlign)) std::byte[rules_->table().state_size]);
  copy(other);
}

std::vector<Action> State::legal() const {
  std::vector<Action> actions(std::size_t(rules_->max_legal()));
  actions.resize(legal(actions).size());
  return actions;
}

void State::odds(std::span<const Action> outcomes, std::span<float> out) const {
  const auto& t = rules_->table();
  if (t.odds)
    rules_->checked(t.odds(bytes(), outcomes.data(), int(outcomes.size()), out.data()), "odds");
  else
    std::ranges::fill(out.first(outcomes.size()), 1.f / float(outcomes.size()));
}

bool State::play_out(Rng& rng) {
  const tabula_game& t = rules_->table();
  if (!t.play_out) return false;
  if (over()) return true;
  std::uint64_t random[2];
  rng.save(random);
  const int left = t.max_plies - ply_;
  const int played = rules_->checked(t.play_out(bytes(), random, left), "play_out");
  if (played < 1 || played > left)
    throw GameError(rules_->name() + ": play_out() made " + std::to_string(played) + " moves of " +
                    std::to_string(left));
  rng = Rng(random[0], random[1]);
  ply_ += played;
  turn_ = TABULA_OVER;
  cut_ = rules_->checked(t.turn(bytes()), "turn") != TABULA_OVER;
  return true;
}

int State::result() const {
  const tabula_game& t = rules_->table();
  if (!cut_) return rules_->checked(t.result(bytes()), "result");
  return t.result_at_limit ? rules_->checked(t.result_at_limit(bytes()), "result_at_limit") : 0;
}

std::uint64_t State::hash() const {
  const auto& t = rules_->table();
  if (!t.key) return Hash().add_bytes(state_bytes()).value();
  std::array<std::byte, 512> room;
  const int size =
      std::max(0, rules_->checked(t.key(bytes(), room.data(), int(room.size())), "key"));
  if (std::size_t(size) <= room.size())
    return Hash().add_bytes(std::span(room).first(std::size_t(size))).value();
  std::vector<std::byte> longer(static_cast<std::size_t>(size));
  rules_->checked(t.key(bytes(), longer.data(), size), "key");
  return Hash().add_bytes(longer).value();
}

bool State::operator==(const State& other) const {
  return rules_ == other.rules_ && std::ranges::equal(state_bytes(), other.state_bytes());
}

}  // namespace tabula
