#include "core/search/rounds.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "core/search/noise.h"
#include "tests/fake_evaluator.h"
#include "tests/searched.h"
#include "tests/support.h"

using namespace tabula;

TEST_CASE("a search spends its budget, and its targets sum to one") {
  FakeEvaluator fake;
  for (Method method : {Method::puct, Method::gumbel})
    for (const char* game : {"connect4", "go5", "einstein", "pig100"}) {
      State state(shipped(game));
      while (state.at_chance()) state.apply(state.legal().front());
      SearchConfig config = plain(150);
      config.method = method;
      const SearchResult result = searched(state, config, fake);
      CHECK(total(result) == 150);
      float sum = 0;
      for (const MoveResult& move : result.moves) sum += move.target;
      CHECK(sum == doctest::Approx(1));
      CHECK(result.value.win + result.value.draw + result.value.loss == doctest::Approx(1));
    }
}

TEST_CASE("a search takes the win at hand and blocks the loss at hand") {
  for (Method method : {Method::puct, Method::gumbel})
    for (bool prove : {false, true}) {
      SearchConfig config{.method = method, .simulations = 300, .prove = prove};
      config.noise_fraction = 0;
      auto uniform = uniform_evaluator();
      const State win = after(shipped("connect4"), "4 1 4 1 4 1");
      CHECK(searched(win, config, *uniform).best == 3);
      const State block = after(shipped("connect4"), "4 1 4 1 4");
      CHECK(searched(block, config, *uniform).best == 3);
    }
}

TEST_CASE("reuse keeps what was learnt below the move that was played") {
  FakeEvaluator fake;
  const Rules& rules = shipped("connect4");
  std::vector<Search> searches(1, Search(plain(400), 1));
  Batch batch;
  State state(rules);
  searches[0].start(state, false);
  run_together(searches, fake, batch);
  SearchResult result;
  searches[0].result(result);
  const std::uint32_t kept = result.moves[result.best].visits;
  const float value = result.moves[result.best].value;
  state.apply(result.moves[result.best].action);
  searches[0].advance(result.moves[result.best].action, state, false);
  CHECK(searches[0].tree().root().visits == kept);
  searches[0].result(result);
  CHECK(total(result) == kept - 1);
  CHECK(value == doctest::Approx(-result.value.mean()).epsilon(0.05));
  run_together(searches, fake, batch);
  searches[0].result(result);
  CHECK(total(result) == 400);
}

TEST_CASE("reuse begins anew where dice have rolled between") {
  FakeEvaluator fake;
  State state = after(shipped("pig100"), "roll 4");
  Search search = run_alone(state, plain(100), fake);
  state.apply(*state.parse("roll"));
  state.apply(*state.parse("5"));
  search.advance(1, state, false);
  CHECK(search.tree().root().turn == state.turn());
  Batch batch;
  run_together({&search, 1}, fake, batch);
  CHECK(total(result_of(search)) == 100);
}

TEST_CASE("chance nodes are visited as their odds have it, and valued by them") {
  // One roll decides: the value of rolling is the mean over the faces.
  auto uniform = uniform_evaluator();
  const State state = after(shipped("pig100"), "roll 4");
  const SearchResult result = searched(state, plain(600), *uniform);
  CHECK(result.moves.size() == 2);
  Search search(plain(601), 1);
  search.start(state, false);
  std::vector<Search> searches(1, search);
  Batch batch;
  run_together(searches, *uniform, batch);
  const Tree& tree = searches[0].tree();
  const Edge& roll = tree.edges(kRoot)[1];
  const auto faces = tree.edges(roll.child);
  CHECK(faces.size() == 6);
  for (const Edge& face : faces) {
    CHECK(face.visits >= roll.visits / 6 - 1);
    CHECK(face.visits <= roll.visits / 6 + 1);
  }
}

TEST_CASE("pending leaves fill a batch from one tree and are all answered") {
  FakeEvaluator one, many;
  const State state(shipped("go5"));
  SearchConfig config = plain(256);
  const SearchResult alone = searched(state, config, one);
  config.pending = 16;
  const SearchResult together = searched(state, config, many);
  CHECK(total(alone) == total(together));
  CHECK(one.batches == 257);
  CHECK(many.batches < 60);
}

TEST_CASE("noise comes with exploring only, sums to one and follows alpha") {
  Rng rng(1);
  std::vector<float> priors(7, 1.f / 7);
  mix_dirichlet(priors, 0.3f, 0.25f, rng);
  CHECK(std::accumulate(priors.begin(), priors.end(), 0.f) == doctest::Approx(1));
  for (float p : priors) CHECK(p >= 0.75f / 7 - 1e-6f);
  FakeEvaluator fake;
  const State state(shipped("connect4"));
  SearchConfig config = plain(100);
  const auto quiet = visits(searched(state, config, fake, false));
  config.noise_fraction = 0.5f;
  CHECK(visits(searched(state, config, fake, false)) == quiet);
  CHECK(visits(searched(state, config, fake, true)) != quiet);
  CHECK(visits(searched(state, config, fake, true, 2)) !=
        visits(searched(state, config, fake, true)));
}

TEST_CASE("forced playouts visit what was tried, and pruning takes them out of the target") {
  FakeEvaluator fake;
  const State state(shipped("connect4"));
  SearchConfig config = plain(600);
  config.c_puct = 0.5f;
  config.forced_playouts = 2;
  const SearchResult forced = searched(state, config, fake, true);
  float pruned = 0;
  for (const MoveResult& move : forced.moves) {
    if (move.visits > 0) CHECK(float(move.visits) >= 0.9f * std::sqrt(2 * move.prior * 600) - 1);
    pruned += std::max(0.f, float(move.visits) / 600 - move.target);
  }
  CHECK(pruned > 0.01f);
  const MoveResult& best = forced.moves[forced.best];
  CHECK(best.target > float(best.visits) / 600);
}

TEST_CASE("temperature and confidence bounds choose as they say") {
  SearchResult result;
  result.moves = {
      {0, 100, 0, 0, 0.1f, 0.05f, 2}, {1, 300, 0, 0, 0.2f, 0.1f, 2}, {2, 200, 0, 0, 0.3f, 0.2f, 2}};
  result.best = 1;
  Rng rng(1);
  CHECK(draw_move(result, 0, rng) == 1);
  CHECK(safest_move(result) == 2);
  int counts[3] = {}, cold[3] = {};
  for (int i = 0; i < 6000; ++i) {
    ++counts[draw_move(result, 1, rng)];
    ++cold[draw_move(result, 0.25f, rng)];
  }
  CHECK(counts[0] == doctest::Approx(1000).epsilon(0.15));
  CHECK(counts[1] == doctest::Approx(3000).epsilon(0.1));
  CHECK(cold[1] > counts[1]);
  result.proven = 1;
  CHECK(draw_move(result, 1, rng) == 1);
}
