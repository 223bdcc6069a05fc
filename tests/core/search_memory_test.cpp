#include <doctest/doctest.h>

#include "core/search/rounds.h"
#include "tests/allocations.h"
#include "tests/support.h"

using namespace tabula;

TEST_CASE("a warm search allocates nothing") {
  for (const char* game : {"connect4", "go5", "einstein", "pig100"})
    for (Method method : {Method::puct, Method::gumbel}) {
      CAPTURE(std::string(game));
      const Rules& rules = shipped(game);
      std::vector<Search> searches;
      for (std::uint64_t i = 0; i < 8; ++i)
        searches.emplace_back(SearchConfig{.method = method, .simulations = 100}, i);
      auto uniform = uniform_evaluator();
      Batch batch;
      SearchResult result;
      Playout playout(rules);
      const State start(rules);
      std::vector<State> states(8, start);
      const auto play = [&](int moves, std::uint64_t seed) {
        Rng rng(seed);
        for (State& state : states) state = start;
        for (int move = 0; move < moves; ++move) {
          for (std::size_t i = 0; i < 8; ++i) {
            State& state = states[i];
            while (!state.over() && state.at_chance()) state.apply(playout.draw(state, rng));
            if (state.over()) state = start;
            while (state.at_chance()) state.apply(playout.draw(state, rng));
            searches[i].start(state, true);
          }
          run_together(searches, *uniform, batch);
          for (std::size_t i = 0; i < 8; ++i) {
            searches[i].result(result);
            states[i].apply(result.moves[draw_move(result, 1, rng)].action);
          }
        }
      };
      play(40, 1);
      const long before = allocations;
      play(20, 1);  // the same games again: no tree grows beyond what it was
      CHECK(allocations == before);
    }
}
