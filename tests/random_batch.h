#pragma once
#include "core/data/training_batch.h"
#include "tests/random_positions.h"

namespace tabula {

// Positions with targets drawn at random: nothing to understand, only to remember.
inline TrainingBatch random_batch(const Rules& rules, int rows, std::uint64_t seed) {
  const auto states = random_positions(rules, rows, seed);
  const auto width = std::size_t(rules.actions());
  TrainingBatch batch;
  batch.rows = rows;
  batch.planes = planes_of(states);
  batch.legal.resize(std::size_t(rows) * width);
  batch.policy = batch.reply = batch.legal;
  Rng rng(seed);
  for (std::size_t row = 0; row < std::size_t(rows); ++row) {
    const auto legal = states[row].legal();
    for (Action action : legal) batch.legal[row * width + std::size_t(action)] = 1;
    const auto drawn = std::size_t(legal[rng.below(std::uint32_t(legal.size()))]);
    batch.policy[row * width + drawn] = 1;
    batch.reply[row * width + rng.below(std::uint32_t(width))] = 1;
    const std::uint32_t result = rng.below(3);
    for (std::uint32_t i = 0; i < 3; ++i) batch.wdl.push_back(float(i == result));
    batch.moves_left.push_back(float(rng.below(20)));
    batch.policy_share.push_back(rng.below(4) > 0 ? 1.f : 0.f);
    batch.reply_share.push_back(rng.below(4) > 0 ? 1.f : 0.f);
    batch.moves_left_share.push_back(rng.below(4) > 0 ? 1.f : 0.f);
  }
  return batch;
}

}  // namespace tabula
