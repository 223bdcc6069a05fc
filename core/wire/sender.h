#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/base/rng.h"
#include "core/data/stored_game.h"

namespace tabula {

struct SenderConfig {
  std::size_t in_flight = 256;     // games sent and not answered for
  std::size_t message_games = 16;  // at most
  std::size_t message_bytes = std::size_t{1} << 20;
  std::int64_t wait_ms = 2000;  // for an answer, at first; each silence doubles it
  std::int64_t longest_wait_ms = 30000;
};

// A worker's half of the delivery: which games to send now. A game is sent again and again until
// settle(): the store knows it by its id. No clock, no socket: the caller tells the time, in
// milliseconds, and carries messages.
class Sender {
 public:
  Sender(const SenderConfig& config, std::uint64_t seed) : config_(config), rng_(seed) {}

  void add(const GameId& id, std::size_t bytes);
  // The games of the next message. None: nothing may be sent before wake().
  std::vector<GameId> next(std::int64_t now);
  // The store has answered for this game. False: it had before.
  bool settle(const GameId& id);
  // The store asks to be left alone for a while.
  void hold(std::int64_t now);

  // When next() should be asked again, if nothing happens before: far away for never.
  std::int64_t wake() const;
  std::size_t waiting() const { return games_.size(); }
  std::uint64_t resent() const { return resent_; }

 private:
  struct Game {
    std::size_t bytes = 0;
    std::int64_t deadline = 0;  // of the answer; 0: in the queue
    bool sent = false;          // before
  };
  void take_back(std::int64_t now);
  std::int64_t patience();

  SenderConfig config_;
  Rng rng_;
  std::map<GameId, Game> games_;                         // all that are not settled
  std::deque<GameId> queue_;                             // to be sent, or settled meanwhile
  std::set<std::pair<std::int64_t, GameId>> in_flight_;  // by deadline
  std::int64_t held_until_ = 0;
  int silences_ = 0;
  std::uint64_t resent_ = 0;
};

}  // namespace tabula
