#include "core/search/puct.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tabula {
namespace {

float inverse(std::uint32_t n) { return 1.f / float(1 + n); }

bool lost(const Edge& edge, int player) {
  return edge.proof == (player == 0 ? Proof::loss : Proof::win);
}

float exploration(const Moves& moves, const SearchConfig& config) {
  return config.c_puct * std::sqrt(float(std::max(moves.visits, 1u)));
}

}  // namespace

// The hottest loop of a search: plain pointers, no branches but the rarely taken one.
std::uint32_t choose_puct(const Moves& moves, const SearchConfig& config) {
  const float sign = moves.player == 0 ? 1.f : -1.f;
  const float bonus = exploration(moves, config);
  const float first = sign * moves.value - config.fpu_reduction * std::sqrt(moves.explored);
  const Proof lost_for_us = moves.player == 0 ? Proof::loss : Proof::win;
  const Edge* const edges = moves.edges.data();
  const float* const priors = moves.priors.data();
  std::uint32_t best = 0;
  float best_score = -std::numeric_limits<float>::infinity();
  for (std::uint32_t i = 0, count = std::uint32_t(moves.edges.size()); i < count; ++i) {
    const float value = edges[i].visits ? sign * edges[i].value : first;
    const auto tries = float(std::int32_t(1 + edges[i].visits + edges[i].pending));
    const float score = value + bonus * priors[i] / tries;
    if (score > best_score && edges[i].proof != lost_for_us) {
      best_score = score;
      best = i;
    }
  }
  return best;
}

std::uint32_t choose_forced(const Moves& moves, const SearchConfig& config) {
  for (std::uint32_t i = 0; i < moves.edges.size(); ++i) {
    const Edge& edge = moves.edges[i];
    const auto visits = float(edge.visits + edge.pending);
    if (visits > 0 && !lost(edge, moves.player) &&
        visits * visits < config.forced_playouts * moves.priors[i] * float(moves.visits))
      return i;
  }
  return choose_puct(moves, config);
}

void prune_visits(const Moves& moves, const SearchConfig& config, std::span<float> visits) {
  const float sign = moves.player == 0 ? 1.f : -1.f;
  const float bonus = exploration(moves, config);
  const auto best = std::size_t(std::ranges::max_element(visits) - visits.begin());
  const float best_score = sign * moves.edges[best].value +
                           bonus * moves.priors[best] * inverse(moves.edges[best].visits);
  for (std::size_t i = 0; i < visits.size(); ++i) {
    const Edge& edge = moves.edges[i];
    if (i == best || edge.visits == 0) continue;
    const float forced = std::sqrt(config.forced_playouts * moves.priors[i] * float(moves.visits));
    // The fewest visits at which the move would not have been preferred to the best one.
    const float gap = best_score - sign * edge.value;
    const float enough = gap > 0 ? bonus * moves.priors[i] / gap - 1 : visits[i];
    visits[i] = std::max(visits[i] - std::floor(forced), std::min(visits[i], std::ceil(enough)));
    if (visits[i] <= 1) visits[i] = 0;
  }
}

std::uint32_t choose_outcome(std::span<const Edge> edges, std::span<const float> odds,
                             std::uint32_t visits, Rng& rng) {
  const auto count = std::uint32_t(edges.size());
  std::uint32_t best = 0, i = rng.below(count);  // of equals, the first from a random place on
  float furthest = -std::numeric_limits<float>::infinity();
  for (std::uint32_t k = 0; k < count; ++k, i = i + 1 == count ? 0 : i + 1) {
    const float behind = odds[i] * float(visits + 1) - float(edges[i].visits + edges[i].pending);
    if (behind > furthest + 1e-4f) {
      furthest = behind;
      best = i;
    }
  }
  return best;
}

float lower_bound(const Tally& tally, int player, float deviations) {
  if (tally.count == 0) return -2;
  const auto n = float(tally.count);
  const float variance = std::max(0.f, tally.square - tally.value * tally.value);
  // One imagined visit of the greatest spread keeps a single lucky visit from looking certain.
  const float spread = std::sqrt((variance * n + 1) / (n + 1));
  return for_player(tally.value, player) - deviations * spread / std::sqrt(n);
}

}  // namespace tabula
