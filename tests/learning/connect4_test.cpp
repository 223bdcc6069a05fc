// Connect Four from nothing in a few minutes, held against the exact solver.
#include <doctest/doctest.h>

#include <algorithm>

#include "games/connect4/solver/solver.h"
#include "tests/lockstep.h"
#include "tests/support.h"

using namespace tabula;

namespace {

constexpr int kRounds = 15, kSlowRounds = 4;

LockstepConfig plan() {
  LockstepConfig config;
  config.net = parse_net_config("4x32");
  config.play.search.simulations = 80;
  config.play.full_share = 0.5f;
  config.play.cheap_simulations = 20;
  config.play.temperature.plies = 12;
  config.play.opening.plies = 18;  // the exercises come from random play, too
  config.games = 200;
  config.steps = 50;
  config.batch = 128;
  return config;
}

int sign(int score) { return (score > 0) - (score < 0); }

// A position in which a careless move throws the game's value away, and the moves that keep it.
struct Exercise {
  State state;
  std::vector<bool> keeps;  // [column]
};

std::vector<Exercise> exercises(const Rules& rules, int count) {
  std::vector<Exercise> all;
  connect4::Solver solver;
  Rng rng(5);
  while (int(all.size()) < count) {
    State state(rules);
    std::string moves;
    for (std::uint32_t ply = 14 + rng.below(8); ply > 0 && !state.over(); --ply) {
      const auto legal = state.legal();
      const Action column = legal[rng.below(std::uint32_t(legal.size()))];
      state.apply(column);
      moves += char('1' + column);
    }
    if (state.over()) continue;
    const auto scores = solver.move_scores(*connect4::Position::parse(moves));
    int best = -1;
    for (const auto& score : scores)
      if (score) best = std::max(best, sign(*score));
    std::vector<bool> keeps;
    for (const auto& score : scores) keeps.push_back(score && sign(*score) == best);
    const auto legal = state.legal();
    const bool easy = std::ranges::all_of(legal, [&](Action a) { return keeps[std::size_t(a)]; });
    if (!easy) all.push_back({state, keeps});
  }
  return all;
}

// Share of exercises in which the network alone, without search, throws the value away.
double blunders(const Net& net, const std::vector<Exercise>& all) {
  const auto evaluator = net_evaluator(cpu_engine(net, Kernel::fp32), net.shape);
  int wrong = 0;
  for (const Exercise& exercise : all) {
    const auto legal = exercise.state.legal();
    std::vector<float> policy(legal.size());
    const Question question{&exercise.state, legal, policy, 0};
    Answer answer;
    evaluator->evaluate({&question, 1}, {&answer, 1});
    const auto best = std::size_t(std::ranges::max_element(policy) - policy.begin());
    wrong += !exercise.keeps[std::size_t(legal[best])];
  }
  return double(wrong) / double(all.size());
}

// Positions of the games it played last.
std::vector<State> played_positions(const Lockstep& lockstep, const Rules& rules,
                                    std::size_t count) {
  std::vector<State> positions;
  for (const GameRecord& game : lockstep.window()) {
    State state(rules);
    for (const PlyRecord& ply : game.plies) {
      if (positions.size() < count) positions.push_back(state);
      state.apply(ply.action);
    }
  }
  return positions;
}

}  // namespace

TEST_CASE("Connect Four's network alone learns to keep what the solver says it has") {
  if (!torch_installed()) {
    MESSAGE("skipped: this build has no LibTorch");
    return;
  }
  const Rules& rules = shipped("connect4");
  const auto all = exercises(rules, 400);
  Lockstep lockstep(rules, plan(), 1);
  const double before = blunders(lockstep.net(), all);
  for (int i = 0; i < kRounds; ++i) {
    if (i == kRounds - kSlowRounds) lockstep.slow_down();
    lockstep.round();
    MESSAGE("round " << i << ": policy " << lockstep.last.policy << ", wdl " << lockstep.last.wdl
                     << ", blunders " << blunders(lockstep.net(), all));
  }
  const double after = blunders(lockstep.net(), all);
  MESSAGE("blunders of the network alone: " << before << " before, " << after << " after");
  CHECK(before > 0.3);
  CHECK(after < before / 2);

  const auto positions = played_positions(lockstep, rules, 10000);
  REQUIRE(positions.size() == 10000);
  const auto [mean, most] = bf16_error(lockstep.net(), positions);
  MESSAGE("bf16 against fp32: mean " << mean << ", 99.9th percentile " << most);
  CHECK(mean < 0.005f);
  CHECK(most < 0.03f);
}
