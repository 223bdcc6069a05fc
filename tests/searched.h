// One search, run to its end.
#pragma once
#include <doctest/doctest.h>

#include "core/search/rounds.h"

namespace tabula {

inline Search run_alone(const State& state, const SearchConfig& config, Evaluator& evaluator,
                        bool explore = false, std::uint64_t seed = 1) {
  Search search(config, seed);
  search.start(state, explore);
  Batch batch;
  run_together({&search, 1}, evaluator, batch);
  CHECK(search.done());
  return search;
}

inline SearchResult result_of(const Search& search) {
  SearchResult result;
  search.result(result);
  return result;
}

inline SearchResult searched(const State& state, const SearchConfig& config, Evaluator& evaluator,
                             bool explore = false, std::uint64_t seed = 1) {
  return result_of(run_alone(state, config, evaluator, explore, seed));
}

inline std::vector<std::uint32_t> visits(const SearchResult& result) {
  std::vector<std::uint32_t> all;
  for (const MoveResult& move : result.moves) all.push_back(move.visits);
  return all;
}

inline std::uint32_t total(const SearchResult& result) {
  std::uint32_t sum = 0;
  for (const MoveResult& move : result.moves) sum += move.visits;
  return sum;
}

// No proofs, no noise: every visit is paid for.
inline SearchConfig plain(int simulations) {
  return {.simulations = simulations, .prove = false, .noise_fraction = 0};
}

}  // namespace tabula
