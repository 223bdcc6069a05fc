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

// The index of the chosen move among the legal ones, for each position. A search has no noise. The
// choices depend on neither threads nor batches. `on_choice`, if given, is called after each, from
// one thread at a time, with how many there are. requires: a player moves in every position
std::vector<std::size_t> choose_moves(std::span<const State> positions, const MakeEvaluator& make,
                                      const Choosing& choosing,
                                      const std::function<void(std::size_t)>& on_choice = {});

}  // namespace tabula
