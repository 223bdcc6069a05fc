#include "core/search/puct.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace tabula {
namespace {

float inverse(std::uint32_t n) { return 1.f / float(1 + n); }

constexpr float kNever = -std::numeric_limits<float>::infinity();

// Four numbers at once, by the compiler's own vector types.
using Floats = float __attribute__((vector_size(16)));
using Words = std::int32_t __attribute__((vector_size(16)));
static_assert(sizeof(Words) == kLanes * sizeof(std::int32_t));

template <class Vector>
Vector load(const void* from) {
  Vector vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}
Floats all(float x) { return Floats{} + x; }

// Four edges, turned from rows into columns. `flags` is pending and closed: negative if
// closed.
struct Lanes {
  Floats value;
  Words visits, flags;
};
Lanes load_edges(const Edge* edges) {
  const auto a = load<Words>(edges), b = load<Words>(edges + 1);
  const auto c = load<Words>(edges + 2), d = load<Words>(edges + 3);
  const Words ab = __builtin_shufflevector(a, b, 0, 4, 1, 5);
  const Words cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  return {Floats(__builtin_shufflevector(ab, cd, 0, 1, 4, 5)),
          __builtin_shufflevector(ab, cd, 2, 3, 6, 7),
          __builtin_shufflevector(__builtin_shufflevector(a, b, 3, 7, 3, 7),
                                  __builtin_shufflevector(c, d, 3, 7, 3, 7), 0, 1, 4, 5)};
}

// The lowest index among the lanes that share the highest score.
std::uint32_t first_of_best(Floats best, Words where) {
  Floats other = __builtin_shufflevector(best, best, 2, 3, 0, 1);
  Floats high = other > best ? other : best;
  other = __builtin_shufflevector(high, high, 1, 0, 3, 2);
  high = other > high ? other : high;
  Words at = best == high ? where : Words{} + std::numeric_limits<std::int32_t>::max();
  Words next = __builtin_shufflevector(at, at, 2, 3, 0, 1);
  at = next < at ? next : at;
  next = __builtin_shufflevector(at, at, 1, 0, 3, 2);
  at = next < at ? next : at;
  return std::uint32_t(at[0]);
}

float exploration(const Moves& moves, const SearchConfig& config) {
  return config.c_puct * std::sqrt(float(std::max(moves.visits, 1u)));
}

}  // namespace

// The hottest loop of a search, four moves at a time.
std::uint32_t choose_puct(const Moves& moves, const SearchConfig& config) {
  const float sign = moves.player == 0 ? 1.f : -1.f;
  const float bonus = exploration(moves, config);
  const float first = sign * moves.value - config.fpu_reduction * std::sqrt(moves.explored);
  Floats best = all(kNever);
  Words where = {}, index = {0, 1, 2, 3};
  for (std::size_t i = 0; i < moves.edges.size(); i += kLanes, index += 4) {
    const Lanes edges = load_edges(moves.edges.data() + i);
    const Words tries = 1 + edges.visits + (edges.flags & 0xffff);  // with those pending
    const Floats value = edges.visits > 0 ? sign * edges.value : all(first);
    const Floats score = value + bonus * load<Floats>(moves.priors.data() + i) /
                                     __builtin_convertvector(tries, Floats);
    const Words better = (score > best) & (edges.flags >= 0);
    best = better ? score : best;
    where = better ? index : where;
  }
  return first_of_best(best, where);
}

std::uint32_t choose_forced(const Moves& moves, const SearchConfig& config) {
  for (std::uint32_t i = 0; i < moves.edges.size(); ++i) {
    const Edge& edge = moves.edges[i];
    const auto visits = float(edge.visits + edge.pending);
    if (visits > 0 && !edge.closed &&
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
    if (!edges[i].closed && behind > furthest + 1e-4f) {
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
