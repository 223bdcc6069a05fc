#include "core/wire/sender.h"

#include <algorithm>
#include <limits>

namespace tabula {

void Sender::add(const GameId& id, std::size_t bytes) {
  if (games_.try_emplace(id, Game{.bytes = bytes}).second) queue_.push_back(id);
}

// Doubled by every silence, and never the same for two workers: a store that comes back must not
// meet all of them at once.
std::int64_t Sender::patience() {
  const std::int64_t doubled = config_.wait_ms << std::min(silences_, 16);
  return std::int64_t(double(std::min(doubled, config_.longest_wait_ms)) *
                      (0.75 + 0.5 * double(rng_.uniform())));
}

void Sender::take_back(std::int64_t now) {
  bool silence = false;
  while (!in_flight_.empty() && in_flight_.begin()->first <= now) {
    const GameId id = in_flight_.begin()->second;
    in_flight_.erase(in_flight_.begin());
    games_[id].deadline = 0;
    queue_.push_back(id);
    silence = true;
  }
  if (silence) ++silences_;
}

std::vector<GameId> Sender::next(std::int64_t now) {
  take_back(now);
  std::vector<GameId> message;
  std::size_t bytes = 0;
  const std::int64_t deadline = now + std::max<std::int64_t>(1, patience());
  while (now >= held_until_ && !queue_.empty() && message.size() < config_.message_games &&
         in_flight_.size() < config_.in_flight) {
    const auto found = games_.find(queue_.front());
    const bool goes = found != games_.end() && found->second.deadline == 0;
    if (goes && !message.empty() && bytes + found->second.bytes > config_.message_bytes) break;
    queue_.pop_front();
    if (!goes) continue;
    Game& game = found->second;
    resent_ += game.sent;
    game.sent = true;
    game.deadline = deadline;
    bytes += game.bytes;
    in_flight_.emplace(deadline, found->first);
    message.push_back(found->first);
  }
  return message;
}

bool Sender::settle(const GameId& id) {
  const auto found = games_.find(id);
  if (found == games_.end()) return false;
  in_flight_.erase({found->second.deadline, id});
  games_.erase(found);
  silences_ = 0;
  return true;
}

void Sender::hold(std::int64_t now) {
  ++silences_;
  held_until_ = now + patience();
}

std::int64_t Sender::wake() const {
  const std::int64_t never = std::numeric_limits<std::int64_t>::max();
  const bool room = !queue_.empty() && in_flight_.size() < config_.in_flight;
  return std::min(room ? held_until_ : never,
                  in_flight_.empty() ? never : in_flight_.begin()->first);
}

}  // namespace tabula
