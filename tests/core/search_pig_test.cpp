// Search through dice: with the exact value of every position as evaluator, a search must take the
// optimal decision.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/search/rounds.h"
#include "games/pig/exact/exact.h"
#include "tests/support.h"

using namespace tabula;

namespace {

const pig::Optimal& values() {
  static const pig::Optimal values;
  return values;
}

struct Scores {
  int own, other, pot;
};

// Read off the planes: own score, other's and pot lead their groups of eleven.
Scores scores_of(const State& state) {
  std::vector<float> planes(std::size_t(state.rules().plane_floats()));
  state.encode(planes);
  return {int(std::lround(100 * planes[0])), int(std::lround(100 * planes[11])),
          int(std::lround(100 * planes[22]))};
}

// Sensible play for a while, then a turn that dares more or less.
State some_position(Rng& rng) {
  State state(shipped("pig100"));
  Playout playout(state.rules());
  const int plies = int(rng.below(150)), dare = int(rng.below(45));
  while (!state.over()) {
    if (state.at_chance()) {
      state.apply(playout.draw(state, rng));
      continue;
    }
    const Scores s = scores_of(state);
    if (state.ply() >= plies && s.pot >= dare) break;
    state.apply(state.ply() < plies && s.pot >= 20 ? 0 : 1);
  }
  return state;
}

struct Exact : Evaluator {
  void evaluate(std::span<const Question> questions, std::span<Answer> answers) override {
    for (std::size_t i = 0; i < questions.size(); ++i) {
      const Scores s = scores_of(*questions[i].state);
      const auto win = float(values().win(s.own, s.other, s.pot));
      std::ranges::fill(questions[i].policy, 0.5f);
      answers[i] = {.value = {win, 0, 1 - win}};
    }
  }
};

}  // namespace

TEST_CASE("with exact values a search through dice takes the optimal decision") {
  Exact exact;
  Rng rng(7);
  for (Method method : {Method::puct, Method::gumbel}) {
    int decided = 0, holds = 0;
    while (decided < 200) {
      const State state = some_position(rng);
      if (state.over()) continue;
      const Scores s = scores_of(state);
      const double hold = values().hold(s.own, s.other, s.pot);
      const double roll = values().roll(s.own, s.other, s.pot);
      if (std::abs(hold - roll) < 0.02) continue;  // a mean over tries needs more than a hair
      const int simulations = method == Method::puct ? 2000 : 400;
      SearchConfig config{.method = method, .simulations = simulations, .c_puct = 0.3f};
      config.c_scale = 1;        // exact values deserve all trust
      config.fpu_reduction = 0;  // the node's value is that of its best move, exactly
      std::vector<Search> searches(1, Search(config, 1));
      searches[0].start(state, false);
      Batch batch;
      run_together(searches, exact, batch);
      SearchResult result;
      searches[0].result(result);
      CAPTURE(s.own);
      CAPTURE(s.other);
      CAPTURE(s.pot);
      CHECK(result.moves[result.best].action == (roll > hold ? 1 : 0));
      if (method == Method::puct)  // Gumbel tries both moves alike, so its mean is lower
        CHECK(result.value.win == doctest::Approx(std::max(hold, roll)).epsilon(0.08));
      ++decided;
      holds += hold > roll;
    }
    CHECK(holds > 20);
  }
}
