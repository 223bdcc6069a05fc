#include "bench/training.h"

#include "bench/alternation.h"
#include "bench/report.h"
#include "bench/torch_threads.h"
#include "core/data/examples.h"
#include "core/search/game_group.h"

namespace tabula {
namespace {

constexpr int kGames = 256, kSimulations = 8;

// Batches drawn from games of self-play with an evaluator that costs next to nothing, by the same
// code that a trainer uses.
class Examples {
 public:
  explicit Examples(const Rules& rules) : rules_(rules), writer_(rules, {}) {
    GameConfig config;
    config.search.simulations = kSimulations;
    std::uint64_t number = 0;
    const auto next = [&]() -> std::optional<GameTicket> {
      if (number == kGames) return {};
      ++number;
      return GameTicket{number, number};
    };
    GameGroup group(rules, config, kGames, next,
                    [&](const GameRecord& game) { games_.push_back(game); });
    const auto evaluator = uniform_evaluator();
    while (group.round(*evaluator) > 0) {}
  }

  void fill(TrainingBatch& batch, int rows) {
    batch.clear();
    while (batch.rows < rows) {
      const GameRecord& game = games_[rng_.below(std::uint32_t(games_.size()))];
      const std::size_t ply = rng_.below(std::uint32_t(game.plies.size()));
      const int symmetry = int(rng_.below(std::uint32_t(rules_.symmetries())));
      if (is_example(game.plies[ply])) writer_.add(game, ply, symmetry, batch);
    }
  }

 private:
  const Rules& rules_;
  Rng rng_{1};
  ExampleWriter writer_;
  std::vector<GameRecord> games_;
};

// One thread's own work, or threads that wait for one another.
Clock clock_of(const TrainingBench& config) {
  return config.threads == 1 ? processor_seconds : wall_seconds;
}

void measure(const Rules& rules, const NetConfig& net, int rows, const TrainingBench& config,
             Report& report) {
  const auto trainer =
      torch_with_threads(config.threads)
          .trainer(new_net(rules, net, 1), {.threads = config.threads, .device = "cpu"});
  Examples examples(rules);
  TrainingBatch batch;
  std::vector<double> outside;
  const Side train = [&](double seconds) {
    const double torch = trainer->seconds_in_torch(), began = wall_seconds();
    const double rate = rate_of(clock_of(config), seconds, [&] {
      examples.fill(batch, rows);
      trainer->step(batch);
      return rows;
    });
    outside.push_back(1 - (trainer->seconds_in_torch() - torch) / (wall_seconds() - began));
    return rate;
  };
  const Rates rates = alternate({train}, config.repeats, config.milliseconds);
  outside.erase(outside.begin());  // the warm-up
  report.row({to_text(net), rows, spread_of(rates[0]), spread_of(outside)});
}

ReportHead head_of(const Rules& rules, const TrainingBench& config) {
  const bool alone = config.threads == 1;
  return {.bench = "training",
          .what = "Training steps by LibTorch on positions of " + rules.name() +
                  ", drawn from games of self-play; outside LibTorch: the share of\nthe time that "
                  "goes into replaying them and copying.",
          .how = (alone ? "one thread" : std::to_string(config.threads) + " threads") + ", " +
                 std::to_string(config.repeats) + " repeats of " +
                 std::to_string(config.milliseconds) + " ms of " +
                 (alone ? "processor time" : "the clock on the wall"),
          .setting = {{"game", rules.name()},
                      {"threads", config.threads},
                      {"clock", alone ? "processor" : "wall"},
                      {"repeats", config.repeats},
                      {"milliseconds", config.milliseconds}},
          .columns = {{"net", "net", -14},
                      {"batch", "batch", 5},
                      {"samples/s", "samples_per_second", 24},
                      {"outside LibTorch", "share_outside", 24, 3}}};
}

}  // namespace

void bench_training(const Rules& rules, const TrainingBench& config) {
  torch_with_threads(config.threads);  // complain before anything is printed
  Report report(head_of(rules, config), config.json);
  for (const NetConfig& net : config.nets)
    for (int rows : config.batches) measure(rules, net, rows, config, report);
  report.finish();
}

}  // namespace tabula
