// From games to examples: features are made by playing the moves again, never stored.
#pragma once
#include "core/data/training_batch.h"
#include "core/game/state.h"
#include "core/search/record.h"

namespace tabula {

struct TargetConfig {
  // Of the value target: the rest is the game's result. What the search thought of a position is
  // less noisy, what came of it less biased.
  float search_share = 0;
};

// Plies that were searched: the others say nothing.
bool is_example(const PlyRecord& ply);

// Writes examples into batches. Keeps a position as scratch space, so one belongs to one thread.
class ExampleWriter {
 public:
  ExampleWriter(const Rules& rules, const TargetConfig& config);
  const Rules& rules() const { return rules_; }

  // Appends a row: the position before a ply, seen through a symmetry.
  // requires: is_example(game.plies[ply]), the game has ended, its moves are legal
  void add(const GameRecord& game, std::size_t ply, int symmetry, TrainingBatch& batch);

 private:
  void add_moves(std::span<const PolicyEntry> policy, int symmetry, std::vector<float>& out) const;
  Wdl value_of(const GameRecord& game, const PlyRecord& ply, int mover) const;
  const PlyRecord* answer_to(const GameRecord& game, std::size_t ply);

  const Rules& rules_;
  TargetConfig config_;
  State start_, state_;
  std::vector<Action> legal_;
  std::vector<float> planes_;
};

}  // namespace tabula
