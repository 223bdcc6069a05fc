#include <algorithm>
#include <chrono>

#include "core/game/check/check.h"
#include "core/game/playout.h"

namespace tabula {

GameFacts measure_game(const Rules& rules, std::uint64_t seed, double seconds,
                       const std::function<void()>& alive) {
  using Clock = std::chrono::steady_clock;
  Playout playout(rules);
  GameFacts facts;
  Rng rng(seed);
  State state(rules);
  const State start = state;
  long plies = 0, choices = 0, choosers = 0, wins = 0, draws = 0;
  const auto began = Clock::now();
  double elapsed = 0;
  do {
    state = start;
    while (!state.over()) {
      const int width = int(playout.legal(state).size());
      if (!state.at_chance()) {
        choices += width;
        ++choosers;
        facts.max_branching = std::max(facts.max_branching, width);
      }
      state.apply(playout.draw(state, rng));
    }
    plies += state.ply();
    facts.min_length = facts.games ? std::min(facts.min_length, state.ply()) : state.ply();
    facts.max_length = std::max(facts.max_length, state.ply());
    wins += state.result() > 0;
    draws += state.result() == 0;
    ++facts.games;
    alive();
    elapsed = std::chrono::duration<double>(Clock::now() - began).count();
  } while (elapsed < seconds || (facts.games < 20 && elapsed < 20 * seconds));
  const double games = facts.games;
  facts.mean_branching = double(choices) / double(std::max(choosers, 1L));
  facts.mean_length = double(plies) / games;
  facts.first_player = double(wins) / games;
  facts.draws = double(draws) / games;

  // The speed by itself: counting above asked for the legal moves twice.
  const auto timed = Clock::now();
  long timed_games = 0, timed_plies = 0;
  double took = 0;
  do {
    state = start;
    playout.finish(state, rng);
    timed_plies += state.ply();
    ++timed_games;
    alive();
    took = std::chrono::duration<double>(Clock::now() - timed).count();
  } while (took < seconds);
  facts.playouts_per_second = double(timed_games) / took;
  facts.plies_per_second = double(timed_plies) / took;
  return facts;
}

}  // namespace tabula
