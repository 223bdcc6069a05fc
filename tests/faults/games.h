// Real games, of connect4 if nothing is said, for the fault suites: game `number` of a worker is
// always the same, so whoever knows the seed knows every byte that may come out of a store.
#pragma once
#include <string>
#include <vector>

#include "core/base/hash.h"
#include "core/data/game_codec.h"
#include "core/data/rows.h"
#include "core/search/game_group.h"
#include "core/wire/outbox.h"
#include "tests/fake_evaluator.h"
#include "tests/support.h"

namespace tabula {

// The worker whose games the fault writer drops again.
constexpr std::uint64_t kPoisoner = 3;

class FaultGames {
 public:
  explicit FaultGames(std::uint64_t seed, const Rules& rules = FaultGames::rules())
      : seed_(seed), rules_(rules) {
    GameConfig config;
    config.search.simulations = 8;
    FakeEvaluator evaluator;
    std::uint64_t next = 0;
    GameGroup group(
        rules_, config, 4,
        [&]() -> std::optional<GameTicket> {
          if (next == kPlayed) return {};
          return GameTicket{next, next++};
        },
        [&](const GameRecord& record) { played_.push_back(record); });
    while (group.round(evaluator) > 0) {}
    std::ranges::sort(played_, {}, &GameRecord::seed);
  }

  static const Rules& rules() { return shipped("connect4"); }
  static Identity identity() { return {"connect4", rules().fingerprints().rules, "connect4"}; }

  OutboxGame game(std::uint64_t worker, std::uint64_t number) const {
    StoredGame game{.game = rules_.name(),
                    .rules = rules_.fingerprints().rules,
                    .models = {"uniform"},
                    .settings = "simulations = 8\n",
                    .worker = "worker-" + std::to_string(worker),
                    .record = played_[number % kPlayed]};
    game.record.number = number;
    Rng rng(Hash().add(seed_).add(worker).add(number).value());
    for (std::uint8_t& byte : game.id) byte = std::uint8_t(rng.next());
    return {game.id, encode_game(game)};
  }

  // As a store's gate would hand it on.
  static Arrival arrival(const OutboxGame& game) {
    return {.id = game.id,
            .bytes = game.bytes,
            .account = "local",
            .worker = "worker",
            .models = {"uniform"},
            .positions = 20};
  }

  // Model `number`'s bytes.
  std::string model(std::uint64_t number) const {
    Rng rng(Hash().add(seed_).add(number).value());
    std::string bytes(3000 + rng.below(9000), '\0');
    for (char& byte : bytes) byte = char(rng.next());
    return bytes;
  }

 private:
  static constexpr std::uint64_t kPlayed = 24;
  std::uint64_t seed_;
  const Rules& rules_;
  std::vector<GameRecord> played_;
};

}  // namespace tabula
