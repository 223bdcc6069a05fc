// A training step: does the loss fall, and is its gradient the loss's gradient?
#include <doctest/doctest.h>

#include <cmath>

#include "core/base/error.h"
#include "core/nn/torch_library.h"
#include "tests/random_batch.h"
#include "tests/support.h"
#include "tests/without_torch.h"

using namespace tabula;

namespace {

std::unique_ptr<Trainer> trainer_for(const Net& net, TrainConfig config = {}) {
  config.device = "cpu";
  config.threads = 1;  // these nets are too small to share
  return torch_library().trainer(net, config);
}

}  // namespace

TEST_CASE("one batch is learnt by heart, by either optimiser") {
  if (skipped_without_torch()) return;
  for (Optimizer optimizer : {Optimizer::sgd, Optimizer::adamw}) {
    const Rules& rules = shipped("connect4");
    TrainConfig config{.optimizer = optimizer, .l2 = 0, .clip = 0};
    config.learning_rate = optimizer == Optimizer::sgd ? 0.05f : 2e-3f;
    const auto trainer = trainer_for(new_net(rules, {2, 32}, 5), config);
    const TrainingBatch batch = random_batch(rules, 16, 1);
    const Losses first = trainer->step(batch);
    Losses last;
    for (int i = 0; i < 400; ++i) last = trainer->step(batch);
    CAPTURE(int(optimizer));
    CHECK(first.policy > 1);
    CHECK(last.policy < 0.05);
    CHECK(last.wdl < 0.05);
    CHECK(last.reply < 0.2);
    CHECK(last.moves_left < 0.05);
  }
}

TEST_CASE("the gradient is that of the whole loss: policy, WDL, moves left, reply and L2") {
  if (skipped_without_torch()) return;
  for (const char* game : {"tictactoe", "go3", "pig100"})
    for (Pooling pooling : {Pooling::none, Pooling::squeeze, Pooling::global}) {
      const Rules& rules = shipped(game);
      const TrainConfig config{.l2 = 0.01f, .moves_left_weight = 0.5f, .reply_weight = 0.5f};
      const TrainingBatch batch = random_batch(rules, 4, 2);
      const Net net = stirred_net(rules, {1, 32, pooling}, 6);
      const auto gradients = trainer_for(net, config)->gradients(batch);
      REQUIRE(gradients.size() == net.weights.size());
      Rng rng(3);
      for (const auto& [name, tensor] : net.weights) {
        const std::size_t at = rng.below(std::uint32_t(tensor.values.size()));
        const float h = 0x1p-17f;  // small, or a ReLU turns within it
        Net up = net, down = net;
        up.weights[name].values[at] += h;
        down.weights[name].values[at] -= h;
        // What was really added, in floats.
        const double wide = double(up.weights[name].values[at]) - down.weights[name].values[at];
        const double slope =
            (trainer_for(up, config)->loss(batch) - trainer_for(down, config)->loss(batch)) / wide;
        const std::string what = std::string(game) + " " + to_text(net.config) + " " + name;
        CAPTURE(what);
        CHECK(gradients.at(name)[at] == doctest::Approx(slope).epsilon(1e-3).scale(1e-2));
      }
    }
}

TEST_CASE("moves that are not legal have no share in the policy's loss") {
  if (skipped_without_torch()) return;
  const Rules& rules = shipped("connect4");  // its policy has a bias for each action
  Net net = stirred_net(rules, {1, 32}, 6);
  TrainingBatch batch = random_batch(rules, 1, 4);
  batch.policy_share = {1};
  batch.legal.assign(7, 1.f);
  batch.legal[2] = 0;
  batch.policy = {1, 0, 0, 0, 0, 0, 0};
  const TrainConfig config{.l2 = 0, .wdl_weight = 0, .moves_left_weight = 0, .reply_weight = 0};
  const auto gradient = trainer_for(net, config)->gradients(batch).at("policy.out.bias");
  CHECK(gradient[0] < 0);
  CHECK(gradient[1] > 0);
  CHECK(gradient[2] == 0);
  const double before = trainer_for(net, config)->loss(batch);
  net.weights["policy.out.bias"].values[2] += 5;
  CHECK(trainer_for(net, config)->loss(batch) == doctest::Approx(before));
}

TEST_CASE("each part of the loss and each option of the trainer does something") {
  if (skipped_without_torch()) return;
  const Rules& rules = shipped("tictactoe");
  const Net net = stirred_net(rules, {1, 32}, 6);
  const TrainingBatch batch = random_batch(rules, 8, 4);
  const auto after_steps = [&](const TrainConfig& config) {
    const auto trainer = trainer_for(net, config);
    for (int i = 0; i < 3; ++i) trainer->step(batch);
    return std::pair{trainer->net().weights, trainer->average().weights};
  };
  const TrainConfig plain;
  const auto usual = after_steps(plain);
  CHECK(usual == after_steps(plain));
  CHECK(usual.first != usual.second);
  const auto changed = [&](auto change) {
    TrainConfig config;
    change(config);
    return after_steps(config);
  };
  using C = TrainConfig&;
  CHECK(changed([](C c) { c.optimizer = Optimizer::sgd; }).first != usual.first);
  CHECK(changed([](C c) { c.learning_rate *= 2; }).first != usual.first);
  CHECK(changed([](C c) { c.momentum = 0.5f; }).first != usual.first);
  CHECK(changed([](C c) { c.second_momentum = 0.5f; }).first != usual.first);
  CHECK(changed([](C c) { c.l2 = 1; }).first != usual.first);
  CHECK(changed([](C c) { c.clip = 1e-3f; }).first != usual.first);
  CHECK(changed([](C c) { c.policy_weight = 3; }).first != usual.first);
  CHECK(changed([](C c) { c.wdl_weight = 3; }).first != usual.first);
  CHECK(changed([](C c) { c.moves_left_weight = 3; }).first != usual.first);
  CHECK(changed([](C c) { c.reply_weight = 3; }).first != usual.first);
  const auto other_average = changed([](C c) { c.ema = 0.1f; });
  CHECK(other_average.first == usual.first);
  CHECK(other_average.second != usual.second);
}

TEST_CASE("a trainer goes on from its state bit by bit, through a file") {
  if (skipped_without_torch()) return;
  const Rules& rules = shipped("hex7");
  const Net net = new_net(rules, {1, 32, Pooling::global}, 6);
  for (Optimizer optimizer : {Optimizer::sgd, Optimizer::adamw}) {
    const TrainConfig config{.optimizer = optimizer};
    const auto whole = trainer_for(net, config), before = trainer_for(net, config),
               after = trainer_for(net, config);
    for (int i = 0; i < 3; ++i) {
      whole->step(random_batch(rules, 8, std::uint64_t(i)));
      before->step(random_batch(rules, 8, std::uint64_t(i)));
    }
    after->restore(decode_safetensors(encode_safetensors(before->state()), "state"));
    for (int i = 3; i < 6; ++i) {
      whole->step(random_batch(rules, 8, std::uint64_t(i)));
      after->step(random_batch(rules, 8, std::uint64_t(i)));
    }
    CHECK(whole->net().weights == after->net().weights);
    CHECK(whole->average().weights == after->average().weights);
    const auto other = trainer_for(new_net(rules, {1, 64}, 6));
    CHECK_THROWS_AS(other->restore(before->state()), Error);
  }
}
