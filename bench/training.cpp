#include "bench/training.h"

#include "bench/alternation.h"
#include "bench/report.h"
#include "bench/torch_threads.h"
#include "core/game/playout.h"

namespace tabula {
namespace {

constexpr int kGames = 256;

// Makes batches of random games: a game, a ply of it, and the position after a replay of the moves
// before. Targets are drawn.
class Examples {
 public:
  explicit Examples(const Rules& rules) : start_(rules), playout_(rules) {
    for (int i = 0; i < kGames; ++i) games_.push_back(random_game());
  }

  void fill(TrainingBatch& batch, int rows) {
    const NetShape shape = NetShape::of(start_.rules());
    const auto count = std::size_t(rows), actions = std::size_t(shape.actions);
    const auto width = std::size_t(shape.plane_floats());
    batch.rows = rows;
    batch.planes.resize(count * width);
    batch.wdl.assign(count * 3, 0);
    batch.moves_left.resize(count);
    for (auto* moves : {&batch.legal, &batch.policy, &batch.reply})
      moves->assign(count * actions, 0);
    for (auto* share : {&batch.policy_share, &batch.reply_share}) share->assign(count, 1);
    for (std::size_t row = 0; row < count; ++row) {
      const State state = random_position(batch.moves_left[row]);
      state.encode(std::span(batch.planes).subspan(row * width, width));
      draw_targets(state, &batch.legal[row * actions], &batch.policy[row * actions]);
      batch.reply[row * actions + rng_.below(std::uint32_t(actions))] = 1;
      batch.wdl[row * 3 + rng_.below(3)] = 1;
    }
  }

 private:
  std::vector<Action> random_game() {
    std::vector<Action> moves;
    for (State state = start_; !state.over(); state.apply(moves.back()))
      moves.push_back(playout_.draw(state, rng_));
    return moves;
  }

  // One where a player moves.
  State random_position(float& plies_left) {
    for (;;) {
      const auto& game = games_[rng_.below(kGames)];
      const std::size_t plies = rng_.below(std::uint32_t(game.size()));
      State state = start_;
      for (std::size_t ply = 0; ply < plies; ++ply) state.apply(game[ply]);
      plies_left = float(game.size() - plies);
      if (!state.at_chance()) return state;
    }
  }

  void draw_targets(const State& state, float* legal, float* policy) {
    const auto moves = playout_.legal(state);
    float sum = 0;
    for (Action move : moves) {
      legal[move] = 1;
      sum += policy[move] = 0.01f + rng_.uniform();
    }
    for (Action move : moves) policy[move] /= sum;
  }

  State start_;
  Playout playout_;
  Rng rng_{1};
  std::vector<std::vector<Action>> games_;
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
                  ", replayed from random games; outside LibTorch: the share of the\ntime that "
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
