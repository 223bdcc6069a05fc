// PUCT: which move to follow, as pure functions of what is known about the moves of a node.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/rng.h"
#include "core/search/config.h"
#include "core/search/tree.h"

namespace tabula {

// A node's moves as its player sees them.
struct Moves {
  std::span<const Edge> edges;
  std::span<const float> priors;
  int player;
  float value;           // of the node, for player 0
  float explored;        // sum of the priors of visited moves
  std::uint32_t visits;  // of all edges together, pending ones included
};

inline float for_player(float value, int player) { return player == 0 ? value : -value; }

// The move with the best value plus exploration bonus; an unvisited one counts as a little worse
// than the node itself. Closed moves are left out. requires: edges and priors of a Tree, with their
// padding
std::uint32_t choose_puct(const Moves& moves, const SearchConfig& config);

// The same, but first any move, once tried, that has fewer than sqrt(k * prior * visits) visits.
std::uint32_t choose_forced(const Moves& moves, const SearchConfig& config);

// Visits as a training target: of each move but the most visited one, those that only forcing or
// noise paid for are taken away (as many as leave it no better than the most visited one).
void prune_visits(const Moves& moves, const SearchConfig& config, std::span<float> visits);

// Where chance goes: to the outcome that is furthest behind its odds. The order among equals is
// drawn, or the first visits would always see the same outcome.
std::uint32_t choose_outcome(std::span<const Edge> edges, std::span<const float> odds,
                             std::uint32_t visits, Rng& rng);

// A root move's lower confidence bound for the player, from its mean and spread.
float lower_bound(const Tally& tally, int player, float deviations);

}  // namespace tabula
