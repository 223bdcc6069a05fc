#include "core/search/gumbel.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

using namespace tabula;

namespace {

struct Bandit {
  std::vector<Edge> edges;
  std::vector<float> priors;
  float prior_value = 0;  // what the prior policy is worth

  Moves moves(int player) const {
    return {.edges = edges,
            .priors = priors,
            .player = player,
            .value = prior_value,
            .explored = 0,
            .visits = 0};
  }
};

// Arms with exact values for player 0; some are not visited, and completed by the prior's value.
Bandit random_bandit(Rng& rng, bool all_visited) {
  Bandit bandit;
  const std::uint32_t arms = 2 + rng.below(20);
  float sum = 0;
  for (std::uint32_t i = 0; i < arms; ++i) {
    Edge edge;
    edge.value = 2 * rng.uniform() - 1;
    edge.visits = all_visited || rng.below(2) ? 1 + rng.below(30) : 0;
    bandit.edges.push_back(edge);
    bandit.priors.push_back(0.001f + rng.uniform() * rng.uniform());
    sum += bandit.priors.back();
  }
  for (std::size_t i = 0; i < arms; ++i) {
    bandit.priors[i] /= sum;
    bandit.prior_value += bandit.priors[i] * bandit.edges[i].value;
  }
  return bandit;
}

double worth(const Bandit& bandit, std::span<const float> policy, int player) {
  double worth = 0;
  for (std::size_t i = 0; i < policy.size(); ++i)
    worth += double(policy[i]) * for_player(bandit.edges[i].value, player);
  return worth;
}

}  // namespace

TEST_CASE("with exact values the improved policy is never worth less than the prior") {
  Rng rng(1);
  double gained = 0;
  for (int i = 0; i < 5000; ++i) {
    const int player = i % 2;
    const Bandit bandit = random_bandit(rng, true);
    SearchConfig config{.c_visit = float(rng.below(100)), .c_scale = 0.01f + rng.uniform()};
    std::vector<float> improved(bandit.priors.size());
    improved_policy(bandit.moves(player), bandit.prior_value, config, improved);
    const double gain = worth(bandit, improved, player) - worth(bandit, bandit.priors, player);
    REQUIRE(gain >= -1e-5);
    gained += gain;
  }
  CHECK(gained / 5000 > 0.1);
}

TEST_CASE("moves that were not visited are completed by the value of the node") {
  // One visited move that is better than the node, one that is worse: the unvisited stand between.
  Bandit bandit;
  bandit.priors = {0.25f, 0.25f, 0.25f, 0.25f};
  bandit.edges.resize(4);
  bandit.edges[0] = {.value = 0.8f, .visits = 4};
  bandit.edges[1] = {.value = -0.8f, .visits = 4};
  std::vector<float> improved(4);
  improved_policy(bandit.moves(0), 0, {}, improved);
  CHECK(improved[0] > improved[2]);
  CHECK(improved[2] > improved[1]);
  CHECK(improved[2] == improved[3]);
  improved_policy(bandit.moves(1), 0, {}, improved);  // the opponent sees it the other way round
  CHECK(improved[1] > improved[0]);
}

TEST_CASE("c_visit and c_scale sharpen the improved policy") {
  Rng rng(2);
  const Bandit bandit = random_bandit(rng, true);
  const auto top = [&](SearchConfig config) {
    std::vector<float> improved(bandit.priors.size());
    improved_policy(bandit.moves(0), bandit.prior_value, config, improved);
    return worth(bandit, improved, 0);
  };
  CHECK(top({.c_visit = 50, .c_scale = 0.1f}) > top({.c_visit = 1, .c_scale = 0.1f}));
  CHECK(top({.c_visit = 10, .c_scale = 0.5f}) > top({.c_visit = 10, .c_scale = 0.05f}));
}

TEST_CASE(
    "sequential halving visits the considered moves evenly, then the better half, and so on") {
  Rng rng(3);
  SearchConfig config{.method = Method::gumbel, .simulations = 64, .considered = 8};
  std::vector<float> priors(20, 1.f / 20);
  Bandit bandit;
  bandit.priors = priors;
  bandit.edges.resize(20);
  SequentialHalving halving;
  halving.start(priors, config, true, rng);
  std::set<std::uint32_t> tried;
  std::vector<float> truth(20);
  for (float& value : truth) value = 2 * rng.uniform() - 1;
  for (std::uint32_t i = 0; i < 64; ++i) {
    const std::uint32_t arm = halving.choose(bandit.moves(0), 0, config, i);
    if (i < 8) CHECK(!tried.contains(arm));  // each of the eight once, before any twice
    tried.insert(arm);
    Edge& edge = bandit.edges[arm];
    edge.value = truth[arm];
    ++edge.visits;
  }
  CHECK(tried.size() == 8);
  std::multiset<std::uint32_t> visits;
  for (const Edge& edge : bandit.edges)
    if (edge.visits > 0) visits.insert(edge.visits);
  // 64 simulations in three rounds over 8, 4 and 2 moves: 2, 2 + 5 and 2 + 5 + 10, and what is
  // left.
  CHECK(visits.count(2) == 4);
  CHECK(*visits.rbegin() >= 14);
  const std::uint32_t winner = halving.winner(bandit.moves(0), 0, config);
  CHECK(bandit.edges[winner].visits == *visits.rbegin());
}

TEST_CASE("Gumbel noise draws moves in proportion to the prior when values are equal") {
  Rng rng(4);
  SearchConfig config{.method = Method::gumbel, .simulations = 1, .considered = 1};
  Bandit bandit;
  bandit.priors = {0.6f, 0.3f, 0.1f};
  bandit.edges.resize(3);
  int counts[3] = {};
  for (int i = 0; i < 10000; ++i) {
    SequentialHalving halving;
    halving.start(bandit.priors, config, true, rng);
    ++counts[halving.choose(bandit.moves(0), 0, config, 0)];
  }
  CHECK(counts[0] == doctest::Approx(6000).epsilon(0.05));
  CHECK(counts[1] == doctest::Approx(3000).epsilon(0.07));
  CHECK(counts[2] == doctest::Approx(1000).epsilon(0.12));
}

TEST_CASE("without noise Gumbel tries the best priors, whatever the seed") {
  const SearchConfig config{.method = Method::gumbel, .simulations = 1, .considered = 1};
  Bandit bandit;
  bandit.priors = {0.3f, 0.6f, 0.1f};
  bandit.edges.resize(3);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed);
    SequentialHalving halving;
    halving.start(bandit.priors, config, false, rng);
    CHECK(halving.choose(bandit.moves(0), 0, config, 0) == 1);
  }
}
