// Trainers that step together.
#include <doctest/doctest.h>

#include <future>
#include <thread>

#include "core/nn/torch_library.h"
#include "tests/random_batch.h"
#include "tests/support.h"

using namespace tabula;

namespace {

bool skipped() {
  if (!torch_installed()) MESSAGE("skipped: this build has no LibTorch");
  return !torch_installed();
}

const auto always = [] { return true; };

// A port that nobody else is likely to use.
int free_port() {
  static int next = 20000 + int(getpid() % 10000);  // below those that the system gives out
  return next++;
}

std::shared_ptr<Peers> peer(int rank, int count, int port, int patience = 60) {
  return torch_library().peers({.rank = rank,
                                .count = count,
                                .rendezvous = "127.0.0.1:" + std::to_string(port),
                                .patience_seconds = patience});
}

// Rows `from` to `to` of a batch.
TrainingBatch part_of(const TrainingBatch& all, int from, int to) {
  TrainingBatch part;
  part.rows = to - from;
  const auto take = [&](const std::vector<float>& values, std::vector<float>& out) {
    const std::size_t width = values.size() / std::size_t(all.rows);
    out.assign(values.begin() + std::ptrdiff_t(width) * from,
               values.begin() + std::ptrdiff_t(width) * to);
  };
  take(all.planes, part.planes);
  take(all.legal, part.legal);
  take(all.policy, part.policy);
  take(all.reply, part.reply);
  take(all.wdl, part.wdl);
  take(all.moves_left, part.moves_left);
  take(all.policy_share, part.policy_share);
  take(all.reply_share, part.reply_share);
  take(all.moves_left_share, part.moves_left_share);
  return part;
}

std::unique_ptr<Trainer> trainer_of(const Rules& rules, std::uint64_t seed,
                                    Optimizer optimizer = Optimizer::adamw) {
  return torch_library().trainer(new_net(rules, {.blocks = 2, .channels = 32}, seed),
                                 {.optimizer = optimizer, .threads = 1, .device = "cpu"});
}

}  // namespace

TEST_CASE("trainers with parts of a batch make the steps of one with all of it") {
  if (skipped()) return;
  const Rules& rules = shipped("connect4");
  constexpr int kSteps = 20, kRows = 96;
  std::vector<TrainingBatch> batches;
  for (int i = 0; i < kSteps; ++i) batches.push_back(random_batch(rules, kRows, 100 + i));
  for (const auto& [count, optimizer] :
       {std::pair{2, Optimizer::sgd}, {3, Optimizer::sgd}, {2, Optimizer::adamw}}) {
    CAPTURE(count);
    const auto alone = trainer_of(rules, 1, optimizer);
    std::vector<Losses> wanted;
    for (const TrainingBatch& batch : batches) wanted.push_back(alone->step(batch));
    const int port = free_port();
    std::vector<std::unique_ptr<Trainer>> trainers;
    std::vector<std::vector<Losses>> losses{std::size_t(count)};
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < count; ++rank)  // only the first one's weights count
      trainers.push_back(trainer_of(rules, std::uint64_t(rank) + 1, optimizer));
    for (int rank = 0; rank < count; ++rank)
      threads.emplace_back([&, rank, count = count] {
        const auto peers = peer(rank, count, port);
        if (!peers->meet(always)) return;
        Trainer& trainer = *trainers[std::size_t(rank)];
        trainer.join(peers);
        for (const TrainingBatch& batch : batches)
          losses[std::size_t(rank)].push_back(
              trainer.step(part_of(batch, kRows * rank / count, kRows * (rank + 1) / count)));
      });
    threads.clear();
    for (const auto& each : losses) REQUIRE(each.size() == kSteps);
    for (std::size_t i = 0; i < kSteps; ++i) {
      CHECK(losses[0][i].total == losses[1][i].total);
      CHECK(losses[0][i].total == doctest::Approx(wanted[i].total).epsilon(1e-3));
      CHECK(losses[0][i].policy == doctest::Approx(wanted[i].policy).epsilon(1e-3));
    }
    const TensorFile first = trainers[0]->state(), second = trainers[1]->state(),
                     single = alone->state();
    double most = 0;
    for (const auto& [name, tensor] : single.tensors) {
      CHECK(first.tensors.at(name).values == second.tensors.at(name).values);  // bit by bit
      if (name != "weights") continue;
      for (std::size_t i = 0; i < tensor.values.size(); ++i)
        most =
            std::max(most, std::abs(double(tensor.values[i] - first.tensors.at(name).values[i])));
    }
    MESSAGE("weights differ by " << most << " at most after " << kSteps << " steps");
    // AdamW makes of a rounding in a gradient near zero up to a step.
    CHECK(most < (optimizer == Optimizer::sgd ? 1e-6 : 2e-3));
  }
}

TEST_CASE("when one is lost the others are told, and all meet again when it comes back") {
  if (skipped()) return;
  const Rules& rules = shipped("tictactoe");
  const TrainingBatch batch = random_batch(rules, 8, 7);
  const int port = free_port();
  auto first = std::async(std::launch::async, [&] {
    const auto peers = peer(0, 2, port, 5);
    const auto trainer = trainer_of(rules, 1);
    int lost = 0;
    for (int meetings = 0; meetings < 2; ++meetings) {
      if (!peers->meet(always)) return -1;
      trainer->join(peers);
      try {
        for (int i = 0; i < 5 || meetings == 0; ++i) trainer->step(batch);
      } catch (const PeersLost&) {
        ++lost;
      }
    }
    return lost;
  });
  for (const int steps : {3, 5}) {  // it goes after three, and comes again as another
    const auto peers = peer(1, 2, port, 5);
    REQUIRE(peers->meet(always));
    const auto trainer = trainer_of(rules, 2);
    trainer->join(peers);
    for (int i = 0; i < steps; ++i) trainer->step(batch);
  }
  CHECK(first.get() == 1);
}

TEST_CASE(
    "a trainer that waits for others can be told to stop; places that cannot be are refused") {
  if (skipped()) return;
  const int port = free_port();
  int asked = 0;
  CHECK(!peer(0, 2, port)->meet([&] { return ++asked < 3; }));
  asked = 0;
  CHECK(!peer(1, 2, port)->meet([&] { return ++asked < 2; }));  // nobody listens there
  CHECK_THROWS_AS(torch_library().peers({.rank = 0, .count = 2, .rendezvous = "nowhere"}), Error);
  CHECK_THROWS_AS(torch_library().peers({.rank = 2, .count = 2, .rendezvous = "127.0.0.1:1"}),
                  Error);
}
