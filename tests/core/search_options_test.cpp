// Every option of a search changes what it finds: one that did nothing would be a lie in --help.
#include <doctest/doctest.h>

#include "tests/fake_evaluator.h"
#include "tests/searched.h"
#include "tests/support.h"

using namespace tabula;

namespace {

// Does a change to `base` change the visits?
template <class Change>
bool matters(const State& state, SearchConfig base, Change change) {
  FakeEvaluator fake;
  const auto before = visits(searched(state, base, fake, true));
  CHECK(visits(searched(state, base, fake, true)) == before);
  change(base);
  return visits(searched(state, base, fake, true)) != before;
}

}  // namespace

TEST_CASE("every option of a search does something") {
  // A new option does not compile here until it is tested below.
  [[maybe_unused]] const auto& [method, simulations, c_puct, fpu, prove, look_ahead, noise, alpha,
                                forced, considered, c_visit, c_scale, pending] = SearchConfig{};
  const State state(shipped("go5"));
  const SearchConfig puct = plain(200);
  CHECK(matters(state, puct, [](SearchConfig& c) { c.method = Method::gumbel; }));
  CHECK(matters(state, puct, [](SearchConfig& c) { c.simulations = 100; }));
  CHECK(matters(state, puct, [](SearchConfig& c) { c.c_puct = 3; }));
  CHECK(matters(state, puct, [](SearchConfig& c) { c.fpu_reduction = 0; }));
  CHECK(matters(state, puct, [](SearchConfig& c) { c.noise_fraction = 0.25f; }));
  CHECK(matters(state, puct, [](SearchConfig& c) { c.forced_playouts = 2; }));
  CHECK(matters(state, puct, [](SearchConfig& c) { c.pending = 8; }));

  SearchConfig noisy = puct;
  noisy.noise_fraction = 0.25f;
  CHECK(matters(state, noisy, [](SearchConfig& c) { c.noise_alpha = 0.03f; }));

  SearchConfig gumbel = puct;
  gumbel.method = Method::gumbel;
  CHECK(matters(state, gumbel, [](SearchConfig& c) { c.considered = 4; }));
  CHECK(matters(state, gumbel, [](SearchConfig& c) { c.c_visit = 1; }));
  CHECK(matters(state, gumbel, [](SearchConfig& c) { c.c_scale = 0.01f; }));

  const State ending = after(shipped("connect4"), "4 1 4 1 4");
  CHECK(matters(ending, puct, [](SearchConfig& c) { c.prove = true; }));
  SearchConfig proving = puct;
  proving.prove = true;
  CHECK(matters(ending, proving, [](SearchConfig& c) { c.look_ahead = false; }));
}

TEST_CASE("what belongs to exploring does nothing to a search that does not explore") {
  FakeEvaluator fake;
  const State state(shipped("connect4"));
  const auto quiet = visits(searched(state, plain(100), fake, false));
  SearchConfig config = plain(100);
  config.noise_fraction = 0.5f;
  config.noise_alpha = 0.1f;
  config.forced_playouts = 4;
  CHECK(visits(searched(state, config, fake, false)) == quiet);
  CHECK(visits(searched(state, config, fake, true)) != quiet);
}
