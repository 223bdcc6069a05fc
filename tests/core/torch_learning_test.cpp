// The first proof that it learns: games, then steps, in one process, from nothing.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "tests/lockstep.h"
#include "tests/support.h"

using namespace tabula;

namespace {

constexpr int kRounds = 18, kSlowRounds = 5;

LockstepConfig plan() {
  LockstepConfig config;
  config.net = {.blocks = 2, .channels = 32};
  config.play.search.simulations = 60;
  config.play.temperature.plies = 9;
  config.play.opening.plies = 6;  // what only a fool would play must be known, too
  config.games = 150;
  config.steps = 60;
  config.batch = 128;
  return config;
}

// The network's favourite move against every move of the opponent: how many games it loses.
class Examiner {
 public:
  explicit Examiner(Evaluator& evaluator) : evaluator_(evaluator) {}

  int losses(const State& state, int side) {
    if (state.over()) {
      ++games;
      return state.result() == (side == 0 ? -1 : 1);
    }
    int lost = 0;
    for (Action action : state.turn() == side ? std::vector{favourite(state)} : state.legal()) {
      State next = state;
      next.apply(action);
      lost += losses(next, side);
    }
    return lost;
  }
  int games = 0;

 private:
  Action favourite(const State& state) {
    const auto legal = state.legal();
    std::vector<float> policy(legal.size());
    const Question question{&state, legal, policy, 0};
    Answer answer;
    evaluator_.evaluate({&question, 1}, {&answer, 1});
    return legal[std::size_t(std::ranges::max_element(policy) - policy.begin())];
  }
  Evaluator& evaluator_;
};

int lost_games(const Net& net, const Rules& rules, int* games = nullptr) {
  const auto evaluator = net_evaluator(cpu_engine(net, Kernel::fp32), net.shape);
  Examiner examiner(*evaluator);
  const State start(rules);
  const int lost = examiner.losses(start, 0) + examiner.losses(start, 1);
  if (games) *games = examiner.games;
  return lost;
}

// Every position a player can meet.
std::vector<State> all_positions(const Rules& rules) {
  std::vector<State> all = {State(rules)};
  std::set<std::uint64_t> seen = {all[0].hash()};
  for (std::size_t i = 0; i < all.size(); ++i)
    for (Action action : all[i].legal()) {
      State next = all[i];
      next.apply(action);
      if (!next.over() && seen.insert(next.hash()).second) all.push_back(next);
    }
  return all;
}

}  // namespace

TEST_CASE("tictactoe's network alone, without search, loses to nobody after a minute of play") {
  if (!torch_installed()) {
    MESSAGE("skipped: this build has no LibTorch");
    return;
  }
  const Rules& rules = shipped("tictactoe");
  const std::uint64_t seed =
      std::getenv("TABULA_SEED") ? std::stoull(std::getenv("TABULA_SEED")) : 1;
  Lockstep lockstep(rules, plan(), seed);
  CHECK(lost_games(lockstep.net(), rules) > 50);  // it has to learn
  for (int i = 0; i < kRounds; ++i) {
    if (i == kRounds - kSlowRounds) lockstep.slow_down();
    lockstep.round();
    MESSAGE("round " << i << ": policy " << lockstep.last.policy << ", wdl " << lockstep.last.wdl
                     << ", lost " << lost_games(lockstep.net(), rules));
  }
  int games = 0;
  CHECK(lost_games(lockstep.net(), rules, &games) == 0);
  CHECK(games > 100);
  const auto [mean, most] = bf16_error(lockstep.net(), all_positions(rules));
  MESSAGE("bf16 against fp32: mean " << mean << ", 99.9th percentile " << most);
  CHECK(mean < 0.005f);
  CHECK(most < 0.03f);
}
