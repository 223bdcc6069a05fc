#include "core/search/puct.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace tabula;

namespace {

struct Moment {
  std::vector<Edge> edges;  // padded as in a tree
  std::vector<float> priors;
  std::uint32_t width;
  int player;
  float value, explored = 0;
  std::uint32_t visits = 0;

  Moves moves() const {
    return {.edges = std::span(edges).first(width),
            .priors = std::span(priors).first(width),
            .player = player,
            .value = value,
            .explored = explored,
            .visits = visits};
  }
};

// Few different numbers, so that scores are often equal.
Moment random_moment(Rng& rng) {
  Moment m{.edges = {},
           .priors = {},
           .width = 1 + rng.below(40),
           .player = int(rng.below(2)),
           .value = 2 * rng.uniform() - 1};
  m.edges.resize(padded(m.width), {.value = 1, .closed = -1});
  m.priors.resize(m.edges.size(), 1);
  for (std::uint32_t i = 0; i < m.width; ++i) {
    m.edges[i] = {.value = float(rng.below(5)) / 2 - 1,
                  .visits = rng.below(4),
                  .pending = std::uint16_t(rng.below(2)),
                  .closed = std::int16_t(rng.below(4) ? 0 : -1)};
    m.priors[i] = float(1 + rng.below(4)) / 8;
    if (m.edges[i].visits) m.explored += m.priors[i];
    m.visits += m.edges[i].visits + m.edges[i].pending;
  }
  m.edges[rng.below(m.width)].closed = 0;
  return m;
}

// The rule, one move after the other.
std::uint32_t choose_plainly(const Moment& m, const SearchConfig& config) {
  const float bonus = config.c_puct * std::sqrt(float(std::max(m.visits, 1u)));
  const float first = for_player(m.value, m.player) - config.fpu_reduction * std::sqrt(m.explored);
  std::uint32_t best = m.width;
  float best_score = 0;
  for (std::uint32_t i = 0; i < m.width; ++i) {
    const Edge& edge = m.edges[i];
    if (edge.closed) continue;
    const float value = edge.visits ? for_player(edge.value, m.player) : first;
    const float score = value + bonus * m.priors[i] / float(1 + edge.visits + edge.pending);
    if (best == m.width || score > best_score) {
      best = i;
      best_score = score;
    }
  }
  return best;
}

}  // namespace

TEST_CASE("four moves at a time, PUCT chooses as the rule does: the first of the best") {
  Rng rng(1);
  for (int i = 0; i < 20000; ++i) {
    const Moment moment = random_moment(rng);
    const SearchConfig config{.c_puct = 3 * rng.uniform(), .fpu_reduction = rng.uniform()};
    REQUIRE(choose_puct(moment.moves(), config) == choose_plainly(moment, config));
  }
}
