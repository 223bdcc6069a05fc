// Gumbel AlphaZero (Danihelka et al., 2022): planning as policy improvement with few simulations.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/rng.h"
#include "core/search/config.h"
#include "core/search/puct.h"

namespace tabula {

// The improved policy: softmax(log prior + sigma(completed value)). A move without visits gets the
// mixed value of the visited ones and of the node itself. `node_value` is the evaluator's, for
// player 0. (Sections 3 and 4, equations 7, 8 and 33.)
void improved_policy(const Moves& moves, float node_value, const SearchConfig& config,
                     std::span<float> out);

// Below the root: the move whose share of visits is furthest behind the improved policy.
std::uint32_t choose_improved(const Moves& moves, float node_value, const SearchConfig& config,
                              std::vector<float>& scratch);

// At the root: sequential halving over the moves that Gumbel noise puts first.
class SequentialHalving {
 public:
  void reserve(std::size_t moves);  // memory for so many
  // Without noise the best priors are tried, and the same move is always found.
  void start(std::span<const float> priors, const SearchConfig& config, bool noise, Rng& rng);
  std::uint32_t choose(const Moves& moves, float node_value, const SearchConfig& config,
                       std::uint32_t simulation);
  // The move to play once the budget is spent: the best of those with most visits.
  std::uint32_t winner(const Moves& moves, float node_value, const SearchConfig& config);

 private:
  std::uint32_t best_with(std::uint32_t visits, const Moves& moves, float node_value,
                          const SearchConfig& config);
  std::vector<float> noise_;               // one Gumbel variable for each move
  std::vector<std::uint32_t> visits_due_;  // by simulation: how often its move was tried before
  std::vector<std::uint32_t> rounds_;
  std::vector<float> scratch_;
};

}  // namespace tabula
