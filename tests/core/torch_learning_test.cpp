// The first proof that it learns: games, then steps, in one process, from nothing.
#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <set>

#include "core/data/examples.h"
#include "core/nn/torch_library.h"
#include "core/search/game_group.h"
#include "tests/support.h"

using namespace tabula;

namespace {

constexpr int kRounds = 18, kSlowRounds = 5, kGames = 150, kSteps = 60, kBatch = 128;
constexpr std::size_t kWindow = 5 * kGames;

GameConfig exploring() {
  GameConfig config;
  config.search.simulations = 60;
  config.search.noise_fraction = 0.25f;
  config.temperature.plies = 9;
  config.opening.plies = 6;  // what only a fool would play must be known, too
  return config;
}

std::unique_ptr<Evaluator> player(const Net& net) {
  return with_symmetry(net_evaluator(cpu_engine(net, Kernel::fp32), net.shape), SymmetryUse::drawn);
}

// Games and steps in fixed order: one thread, so that a seed says it all.
class Lockstep {
 public:
  Lockstep(const Rules& rules, std::uint64_t seed)
      : rules_(rules), seed_(seed), rng_(seed), writer_(rules, {.search_share = 0.3f}) {
    TrainConfig config;
    config.learning_rate = 2e-3f;
    config.ema = 0.98f;
    config.device = "cpu";
    config.threads = 1;
    trainer_ = torch_library().trainer(new_net(rules, {.blocks = 2, .channels = 32}, seed), config);
  }

  void round() {
    play();
    for (int i = 0; i < kSteps; ++i) {
      batch_.clear();
      while (batch_.rows < kBatch) draw();
      last = trainer_->step(batch_);
    }
  }
  void slow_down() { trainer_->set_learning_rate(5e-4f); }
  Net net() const { return trainer_->average(); }

  Losses last;

 private:
  void play() {
    const auto evaluator = player(net());
    const std::uint64_t end = number_ + kGames;
    const auto next = [&]() -> std::optional<GameTicket> {
      if (number_ == end) return {};
      ++number_;
      return GameTicket{number_, mix(seed_ ^ mix(number_))};
    };
    GameGroup group(rules_, exploring(), 32, next, [&](const GameRecord& game) {
      window_.push_back(game);
      if (window_.size() > kWindow) window_.pop_front();
    });
    while (group.round(*evaluator) > 0) {}
  }

  void draw() {
    const GameRecord& game = window_[rng_.below(std::uint32_t(window_.size()))];
    const std::size_t ply = rng_.below(std::uint32_t(game.plies.size()));
    if (is_example(game.plies[ply]))
      writer_.add(game, ply, int(rng_.below(std::uint32_t(rules_.symmetries()))), batch_);
  }

  const Rules& rules_;
  std::uint64_t seed_, number_ = 0;
  Rng rng_;
  ExampleWriter writer_;
  std::unique_ptr<Trainer> trainer_;
  std::deque<GameRecord> window_;
  TrainingBatch batch_;
};

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

// How far bf16 is from fp32, over policies and results: the mean, and what one in 1,000 exceeds.
std::pair<float, float> bf16_error(const Net& net, const Rules& rules) {
  const auto exact = net_evaluator(cpu_engine(net, Kernel::fp32), net.shape);
  const auto rough = net_evaluator(cpu_engine(net, Kernel::bf16_plain), net.shape);
  std::vector<float> errors;
  for (const State& state : all_positions(rules)) {
    const auto legal = state.legal();
    std::vector<float> policies[2] = {std::vector<float>(legal.size()),
                                      std::vector<float>(legal.size())};
    Answer answers[2];
    for (int i : {0, 1}) {
      const Question question{&state, legal, policies[i], 0};
      (i == 0 ? exact : rough)->evaluate({&question, 1}, {&answers[i], 1});
    }
    for (std::size_t i = 0; i < legal.size(); ++i)
      errors.push_back(std::abs(policies[0][i] - policies[1][i]));
    errors.push_back(std::abs(answers[0].value.win - answers[1].value.win));
    errors.push_back(std::abs(answers[0].value.draw - answers[1].value.draw));
    errors.push_back(std::abs(answers[0].value.loss - answers[1].value.loss));
  }
  std::ranges::sort(errors);
  float sum = 0;
  for (float error : errors) sum += error;
  return {sum / float(errors.size()), errors[errors.size() * 999 / 1000]};
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
  Lockstep lockstep(rules, seed);
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
  const auto [mean, most] = bf16_error(lockstep.net(), rules);
  MESSAGE("bf16 against fp32: mean " << mean << ", 99.9th percentile " << most);
  CHECK(mean < 0.005f);
  CHECK(most < 0.03f);
}
