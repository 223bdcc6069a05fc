// Learning in one process: games, then steps, in fixed order.
#pragma once
#include <algorithm>
#include <cmath>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/data/examples.h"
#include "core/nn/torch_library.h"
#include "core/search/game_group.h"

namespace tabula {

struct LockstepConfig {
  NetConfig net;
  GameConfig play;
  int games = 150, steps = 60, batch = 128;  // of a round
  int window = 5;                            // rounds
  float learning_rate = 2e-3f;
};

// One thread, so that a seed says it all.
class Lockstep {
 public:
  Lockstep(const Rules& rules, const LockstepConfig& config, std::uint64_t seed)
      : rules_(rules),
        config_(config),
        seed_(seed),
        rng_(seed),
        writer_(rules, {.search_share = 0.3f}) {
    TrainConfig train;
    train.learning_rate = config.learning_rate;
    train.ema = 0.98f;
    train.device = "cpu";
    train.threads = 1;
    trainer_ = torch_library().trainer(new_net(rules, config.net, seed), train);
  }

  void round() {
    play();
    for (int i = 0; i < config_.steps; ++i) {
      batch_.clear();
      while (batch_.rows < config_.batch) draw();
      last = trainer_->step(batch_);
    }
  }
  void slow_down() { trainer_->set_learning_rate(config_.learning_rate / 4); }
  Net net() const { return trainer_->average(); }
  const std::deque<GameRecord>& window() const { return window_; }

  Losses last;

 private:
  void play() {
    const Net now = net();
    const auto evaluator = with_cache(
        with_symmetry(net_evaluator(cpu_engine(now, Kernel::fp32), now.shape), SymmetryUse::drawn),
        rules_, std::size_t{32} << 20);
    const std::uint64_t end = number_ + std::uint64_t(config_.games);
    const auto next = [&]() -> std::optional<GameTicket> {
      if (number_ == end) return {};
      ++number_;
      return GameTicket{number_, mix(seed_ ^ mix(number_))};
    };
    GameGroup group(rules_, config_.play, 32, next, [&](const GameRecord& game) {
      window_.push_back(game);
      if (window_.size() > std::size_t(config_.window * config_.games)) window_.pop_front();
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
  LockstepConfig config_;
  std::uint64_t seed_, number_ = 0;
  Rng rng_;
  ExampleWriter writer_;
  std::unique_ptr<Trainer> trainer_;
  std::deque<GameRecord> window_;
  TrainingBatch batch_;
};

// How far bf16 is from fp32, over policies and results: the mean, and what one in 1,000 exceeds.
inline std::pair<float, float> bf16_error(const Net& net, const std::vector<State>& positions) {
  const auto exact = net_evaluator(cpu_engine(net, Kernel::fp32), net.shape);
  const auto rough = net_evaluator(cpu_engine(net, Kernel::bf16_plain), net.shape);
  std::vector<float> errors;
  for (const State& state : positions) {
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
  double sum = 0;
  for (float error : errors) sum += error;
  return {float(sum / double(errors.size())), errors[errors.size() * 999 / 1000]};
}

}  // namespace tabula
