#include "bench/training.h"

#include "bench/alternation.h"
#include "bench/report.h"
#include "bench/torch_threads.h"
#include "bench/training_examples.h"

namespace tabula {
namespace {

// One thread's own work, or threads that wait for one another.
Clock clock_of(const TrainingBench& config) {
  return config.threads == 1 ? processor_seconds : wall_seconds;
}

void measure(const Rules& rules, const NetConfig& net, int rows, const TrainingBench& config,
             Report& report) {
  const auto trainer =
      torch_with_threads(config.threads)
          .trainer(new_net(rules, net, 1), {.threads = config.threads, .device = "cpu"});
  TrainingExamples examples(rules);
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
