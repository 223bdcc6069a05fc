// Which moves a player takes in many positions.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/eval/evaluator.h"
#include "core/search/config.h"

namespace tabula {

using MakeEvaluator = std::function<std::unique_ptr<Evaluator>()>;  // from any thread

struct Choosing {
  SearchConfig search{};   // simulations 0: no search, the move with the largest prior
  std::uint64_t seed = 1;  // of dice in the tree
  int threads = 1;         // each with an evaluator of its own
  int together = 64;       // positions in one batch of a thread
};

// Chooses moves; its threads' evaluators are made once and used for every call. A search has no
// noise. Not thread-safe itself.
class MoveChooser {
 public:
  MoveChooser(MakeEvaluator make, const Choosing& choosing);

  // The index of the chosen move among the legal ones, for each position. It depends on neither
  // threads nor batches. `on_choice`, if given, is called after each, from one thread at a time,
  // with how many there are. requires: a player moves in every position
  std::vector<std::size_t> choose(std::span<const State> positions,
                                  const std::function<void(std::size_t)>& on_choice = {});

 private:
  Evaluator& evaluator(int thread);
  MakeEvaluator make_;
  Choosing choosing_;
  std::vector<std::unique_ptr<Evaluator>> evaluators_;  // by thread, made when it is needed
};

}  // namespace tabula
