#include "bench/selfplay.h"

#include <deque>
#include <thread>

#include "bench/alternation.h"
#include "bench/positions.h"
#include "bench/report.h"
#include "core/search/game_group.h"

namespace tabula {
namespace {

GameConfig game_config(const SelfPlayBench& config) {
  GameConfig game;
  game.search = config.search;
  game.opening = {.plies = config.opening_plies, .exact = true};
  return game;
}

// What one thread of self-play owns.
class Worker {
 public:
  Worker(const Rules& rules, const Net& net, const SelfPlayBench& config, std::uint64_t seed,
         CacheStats* cache = nullptr)
      : evaluator_(net_evaluator(cpu_engine(net, config.kernel), net.shape)),
        group_(
            rules, game_config(config), config.games,
            [number = seed << 32]() mutable {
              ++number;
              return GameTicket{number, mix(number)};
            },
            [](const GameRecord&) {}) {
    if (cache)
      evaluator_ = with_cache(std::move(evaluator_), rules,
                              std::size_t(config.cache_megabytes) << 20, cache);
    // Games begin together: play on without a network until they are at all stages.
    const auto uniform = uniform_evaluator();
    while (group_.stats().games < std::uint64_t(config.games)) group_.round(*uniform);
  }

  std::size_t round() { return group_.round(*evaluator_); }  // returns questions answered

 private:
  std::unique_ptr<Evaluator> evaluator_;
  GameGroup group_;
};

Side engine_alone(const Rules& rules, const Net& net, const SelfPlayBench& config) {
  std::shared_ptr<Engine> engine = cpu_engine(net, config.kernel);
  return [engine, rows = config.games, planes = random_planes(rules, config.games, 1),
          outputs = std::vector<float>(std::size_t(config.games * net.shape.outputs()))](
             double seconds) mutable {
    return rate_of(processor_seconds, seconds, [&] {
      engine->run(rows, planes.data(), outputs.data());
      return rows;
    });
  };
}

Side self_play(Worker& worker) {
  return [&worker](double seconds) {
    return rate_of(processor_seconds, seconds, [&] { return worker.round(); });
  };
}

// The first `threads` workers at once; their rates add up.
Side side_by_side(std::deque<Worker>& workers, int threads, Clock clock) {
  return [&workers, threads, clock](double seconds) {
    std::vector<double> rates(std::size_t(threads), 0.);
    std::vector<std::thread> running;
    for (std::size_t i = 0; i < rates.size(); ++i)
      running.emplace_back(
          [&, i] { rates[i] = rate_of(clock, seconds, [&] { return workers[i].round(); }); });
    for (std::thread& thread : running) thread.join();
    double sum = 0;
    for (double rate : rates) sum += rate;
    return sum;
  };
}

Spread threads_gain(std::deque<Worker>& workers, const SelfPlayBench& config, Clock clock) {
  const Rates rates = alternate(
      {side_by_side(workers, 1, clock), side_by_side(workers, int(workers.size()), clock)},
      config.repeats, config.milliseconds);
  return ratio_of(rates[1], rates[0]);
}

void measure(const Rules& rules, const Net& net, const SelfPlayBench& config, Report& report) {
  std::deque<Worker> workers;
  for (int i = 0; i < config.threads; ++i)
    workers.emplace_back(rules, net, config, std::uint64_t(i));
  CacheStats cache;
  Worker cached(rules, net, config, 0, &cache);
  for (int i = 0; i < 2 * config.search.simulations; ++i) cached.round();  // two moves fill it
  const CacheStats before = cache;
  const Rates rates =
      alternate({engine_alone(rules, net, config), self_play(workers[0]), self_play(cached)},
                config.repeats, config.milliseconds);
  report.row({to_text(net.config), spread_of(rates[0]), spread_of(rates[1]),
              ratio_of(rates[1], rates[0]),
              double(cache.hits - before.hits) / double(cache.asked - before.asked),
              ratio_of(rates[2], rates[1]), threads_gain(workers, config, wall_seconds),
              threads_gain(workers, config, processor_seconds)});
}

ReportHead head_of(const Rules& rules, const SelfPlayBench& config, const std::string& engine) {
  const char* method = config.search.method == Method::puct ? "puct" : "gumbel";
  const std::string threads = std::to_string(config.threads) + " threads";
  return {.bench = "selfplay",
          .what = "Whole self-play of " + rules.name() + " from random openings of " +
                  std::to_string(config.opening_plies) + " plies: " + std::to_string(config.games) +
                  " games together in a thread, " + std::to_string(config.search.simulations) +
                  " simulations a move, " + method + ", " + engine +
                  ".\nThe engine alone has batches of " + std::to_string(config.games) +
                  ". The cache has " + std::to_string(config.cache_megabytes) +
                  " MB; games/s with it to without.",
          .how = std::to_string(config.repeats) + " alternations, " +
                 std::to_string(config.milliseconds) +
                 " ms a side;\nprocessor time of one thread, but " + threads +
                 " to one also by the clock on the wall",
          .setting = {{"game", rules.name()},
                      {"engine", engine},
                      {"method", method},
                      {"simulations", config.search.simulations},
                      {"opening_plies", config.opening_plies},
                      {"games", config.games},
                      {"threads", config.threads},
                      {"cache_megabytes", config.cache_megabytes},
                      {"repeats", config.repeats},
                      {"milliseconds", config.milliseconds}},
          .columns = {{"net", "net", -10},
                      {"engine's evaluations/s", "engine_evaluations_per_second", 24},
                      {"in self-play", "evaluations_per_second", 24},
                      {"share", "share", 20, 2},
                      {"hit rate", "cache_hit_rate", 8, 2},
                      {"cache's gain", "cache_gain", 20, 2},
                      {threads + ", wall", "threads_gain_wall", 20, 2},
                      {"processor", "threads_gain_processor", 20, 2}}};
}

}  // namespace

void bench_selfplay(const Rules& rules, const SelfPlayBench& config) {
  const std::string engine =
      cpu_engine(new_net(rules, config.nets.front(), 1), config.kernel)->name();
  Report report(head_of(rules, config, engine), config.json);
  for (const NetConfig& net : config.nets) measure(rules, new_net(rules, net, 1), config, report);
  report.finish();
}

}  // namespace tabula
