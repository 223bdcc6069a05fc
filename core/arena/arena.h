// The program that tests candidates (docs/arena.md).
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/arena/match_settings.h"
#include "core/arena/player.h"
#include "core/wire/client_socket.h"
#include "core/wire/keys.h"

namespace tabula {

struct ArenaConfig {
  std::string address = kDefaultAddress;
  std::optional<ClientKeys> keys{};
  std::string worker{};  // as its beats name it

  bool gated = true;       // candidates must be found better; else all are promoted
  int simulations = 64;    // a move
  int opening_plies = -1;  // -1: as few as give every pair its own opening
  int most_pairs = 3000;   // of a match that decides: so many that hardly any needs more
  int rating_pairs = 100;  // of a match that only rates
  SprtConfig sprt{};

  int games_at_once = 32;
  double share = 1;  // of `cores`, that it may use
  int cores = 1;
  EngineConfig engine{};
  std::int64_t lease_seconds = 120;
  std::int64_t poll_ms = 1000, beat_ms = 5000;

  void check() const;  // throws Error
};

// Any number of them may serve one store. Everything they must agree on is in the store; one that
// dies is replaced by starting it again.
class Arena {
 public:
  using FindRules = std::function<RulesPtr(const std::string& game)>;
  Arena(const ArenaConfig& config, FindRules find_rules);
  ~Arena();

  // Until stop(). Waits for a store that is away. Throws Error for what waiting does not cure.
  void run();
  void stop();  // from any thread

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tabula
