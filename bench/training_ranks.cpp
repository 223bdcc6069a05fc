#include <unistd.h>

#include <atomic>
#include <barrier>
#include <thread>

#include "bench/alternation.h"
#include "bench/report.h"
#include "bench/torch_threads.h"
#include "bench/training.h"
#include "bench/training_examples.h"

namespace tabula {
namespace {

// Trainers that step together, over loopback as they would over a network.
class Team {
 public:
  Team(const Rules& rules, const NetConfig& net, int rows, int count) : rows_(rows) {
    const TorchLibrary& torch = torch_with_threads(1);
    for (int rank = 0; rank < count; ++rank) {
      members_.push_back({torch.trainer(new_net(rules, net, 1), {.threads = 1, .device = "cpu"}),
                          TrainingExamples(rules),
                          {},
                          rows * (rank + 1) / count - rows * rank / count});
    }
    if (count == 1) return;
    static int port = 20000 + int(getpid() % 10000);
    const std::string rendezvous = "127.0.0.1:" + std::to_string(port++);
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < count; ++rank)
      threads.emplace_back([&, rank] {
        const std::shared_ptr<Peers> peers =
            torch.peers({.rank = rank, .count = count, .rendezvous = rendezvous});
        peers->meet([] { return true; });
        members_[std::size_t(rank)].trainer->join(peers);
      });
  }

  // Samples a second.
  double step_for(double seconds) {
    const double began = wall_seconds();
    std::atomic<bool> go_on = true;
    int steps = 0;
    std::barrier together(std::ptrdiff_t(members_.size()), [&]() noexcept {
      go_on = wall_seconds() - began < seconds;
      steps += go_on;
    });
    {
      std::vector<std::jthread> threads;
      for (Member& member : members_)
        threads.emplace_back([&] {
          while (together.arrive_and_wait(), go_on) {
            member.examples.fill(member.batch, member.rows);
            member.trainer->step(member.batch);
          }
        });
    }
    return double(rows_) * steps / (wall_seconds() - began);
  }

 private:
  struct Member {
    std::unique_ptr<Trainer> trainer;
    TrainingExamples examples;
    TrainingBatch batch;
    int rows;
  };
  int rows_;
  std::vector<Member> members_;
};

}  // namespace

void bench_ranks(const Rules& rules, const TrainingBench& config) {
  torch_with_threads(1);  // complain before anything is printed
  const std::string several = std::to_string(config.ranks) + " ranks, samples/s";
  Report report(
      {.bench = "training_ranks",
       .what = "Training steps on positions of " + rules.name() + " by one trainer, and by " +
               std::to_string(config.ranks) +
               " that make each step together with their parts of the batch (Gloo over\n"
               "loopback).",
       .how = "one thread a trainer, in turn, " + std::to_string(config.repeats) + " repeats of " +
              std::to_string(config.milliseconds) + " ms of the clock on the wall",
       .setting = {{"game", rules.name()},
                   {"ranks", config.ranks},
                   {"repeats", config.repeats},
                   {"milliseconds", config.milliseconds}},
       .columns = {{"net", "net", -14},
                   {"batch", "batch", 5},
                   {"1 rank, samples/s", "one", 24},
                   {several, "several", 24},
                   {"ratio", "ratio", 20, 2}}},
      config.json);
  for (const NetConfig& net : config.nets)
    for (const int rows : config.batches) {
      Team one(rules, net, rows, 1), all(rules, net, rows, config.ranks);
      const Rates rates = alternate({[&](double seconds) { return one.step_for(seconds); },
                                     [&](double seconds) { return all.step_for(seconds); }},
                                    config.repeats, config.milliseconds);
      report.row({to_text(net), rows, spread_of(rates[0]), spread_of(rates[1]),
                  ratio_of(rates[1], rates[0])});
    }
  report.finish();
}

}  // namespace tabula
