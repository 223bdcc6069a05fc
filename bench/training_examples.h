#pragma once
#include <optional>
#include <vector>

#include "core/data/examples.h"
#include "core/search/game_group.h"

namespace tabula {

// Batches drawn from games of self-play with an evaluator that costs next to nothing, by the same
// code that a trainer uses.
class TrainingExamples {
 public:
  explicit TrainingExamples(const Rules& rules) : rules_(rules), writer_(rules, {}) {
    GameConfig config;
    config.search.simulations = kSimulations;
    std::uint64_t number = 0;
    const auto next = [&]() -> std::optional<GameTicket> {
      if (number == kGames) return {};
      ++number;
      return GameTicket{number, number};
    };
    GameGroup group(rules, config, kGames, next,
                    [&](const GameRecord& game) { games_.push_back(game); });
    const auto evaluator = uniform_evaluator();
    while (group.round(*evaluator) > 0) {}
  }

  void fill(TrainingBatch& batch, int rows) {
    batch.clear();
    while (batch.rows < rows) {
      const GameRecord& game = games_[rng_.below(std::uint32_t(games_.size()))];
      const std::size_t ply = rng_.below(std::uint32_t(game.plies.size()));
      const int symmetry = int(rng_.below(std::uint32_t(rules_.symmetries())));
      if (is_example(game.plies[ply])) writer_.add(game, ply, symmetry, batch);
    }
  }

 private:
  static constexpr int kGames = 256, kSimulations = 8;
  const Rules& rules_;
  Rng rng_{1};
  ExampleWriter writer_;
  std::vector<GameRecord> games_;
};

}  // namespace tabula
