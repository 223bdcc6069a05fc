// How much the loop costs those who are in it.
#include <signal.h>

#include <algorithm>
#include <deque>
#include <thread>

#include "bench/alternation.h"
#include "bench/report.h"
#include "bench/store_site.h"
#include "core/base/clock.h"
#include "core/base/cores.h"
#include "core/cli/program.h"
#include "core/service/defaults.h"
#include "front/bench.h"
#include "front/run/run_status.h"
#include "front/run/supervised.h"

namespace tabula {
namespace {

constexpr std::int64_t kPatienceMs = 10'000;
constexpr double kBeginSeconds = 600;  // for the first network
constexpr double kBeatSeconds = 6;     // figures come every 5

struct LoopBench {
  std::string game = "connect4";
  int repeats = 5, seconds = 20, workers = 0;
  std::string folder = ".";
  bool json = false;
};

// A whole training in a folder of its own. With trainer and arena paused, self-play is alone.
class RunningLoop {
 public:
  RunningLoop(const LoopBench& bench, const BenchFolder& folder)
      : address_(ipc_address(folder / "games.db")), watch_(address_, std::nullopt) {
    start("replay",
          {"--db", (folder / "games.db").string(), "--game", bench.game, "--listen", address_},
          folder / "replay.log");
    trainer_ = &start(
        "trainer", {"--replay", address_, "--run", (folder / "training").string(), "--report", "1"},
        folder / "trainer.log");
    arena_ =
        &start("arena", {"--replay", address_, "--share", "0.05", "--nice", "5", "--gate", "none"},
               folder / "arena.log");
    for (int i = 0; i < bench.workers; ++i)
      start("selfplay",
            {"--replay", address_, "--outbox", (folder / ("outbox" + std::to_string(i))).string(),
             "--threads", "1", "--background", "--report", "1"},
            folder / ("selfplay" + std::to_string(i) + ".log"));
  }
  ~RunningLoop() { pause(false); }

  void wait_for_models() {
    const std::int64_t end = clock_ms() + std::int64_t(1000 * kBeginSeconds);
    while (clock_ms() < end) {
      tend();
      try {
        const RunStatus& status = watch_.look(kPatienceMs);
        if (status.models.size() >= 2 && status.sum("selfplay", "model_lag") > 0) return;
      } catch (const Error&) {  // it has just been started
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
    throw Error("no network was made in time; the machine is too busy.");
  }

  void pause(bool on) {
    paused_ = on;
    for (const Supervised* child : {trainer_, arena_})
      if (child->running()) kill(child->process(), on ? SIGSTOP : SIGCONT);
  }

  struct Figures {
    double simulations = 0, processor = 0, outside = 0, most_lag = 0;
  };
  Figures look() {
    tend();
    const RunStatus& status = watch_.look(kPatienceMs);
    if (!status.find("trainer") && !paused_) throw Error("the trainer is gone; see its log.");
    Figures figures{.simulations = status.sum("selfplay", "descents"),
                    .processor = status.sum("selfplay", "cpu_seconds"),
                    .outside = status.sum("trainer", "outside_torch")};
    for (const ProgramStatus& program : status.programs)
      if (program.program == "selfplay")
        figures.most_lag = std::max(figures.most_lag, program["model_lag"]);
    return figures;
  }

 private:
  Supervised& start(const char* name, std::vector<std::string> args,
                    const std::filesystem::path& log) {
    return children_.emplace_back(name, std::move(args), log);
  }
  void tend() {
    for (Supervised& child : children_) child.tend(clock_ms());
  }

  std::string address_;
  RunWatch watch_;
  std::deque<Supervised> children_;
  Supervised *trainer_ = nullptr, *arena_ = nullptr;
  bool paused_ = false;
};

void sleep_seconds(double seconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(std::int64_t(1000 * seconds)));
}

struct Measured {
  std::vector<double> alone, together, outside, lag;
};

// Simulations per second of processor time, over so many seconds in one state; what trainer and
// models did is of the loop, and a trainer that is paused is soon taken for gone.
void measure(RunningLoop& loop, const LoopBench& bench, bool alone, Measured& out) {
  loop.pause(alone);
  sleep_seconds(kBeatSeconds);  // what is on its way belongs to the state before
  const auto before = loop.look();
  sleep_seconds(bench.seconds);
  const auto after = loop.look();
  const double processor = after.processor - before.processor;
  if (processor <= 0) throw Error("self-play did nothing; the machine is too busy.");
  (alone ? out.alone : out.together)
      .push_back((after.simulations - before.simulations) / processor);
  if (alone) return;
  out.outside.push_back(after.outside);
  out.lag.push_back(after.most_lag);
}

}  // namespace

int bench_loop_command(const Args& args) {
  LoopBench bench;
  Options options("tabula bench loop [options]",
                  "Runs a whole training, and pauses trainer and arena in turn: simulations per "
                  "second of processor time\nin the loop and alone, the trainer's time outside "
                  "its steps, and how soon new models are played with.");
  options.add("game", bench.game, "the game")
      .add("repeats", bench.repeats, "alternations of the two sides")
      .add("seconds", bench.seconds, "for each side of an alternation")
      .add("workers", bench.workers, "of self-play, one thread each; 0: as many as cores")
      .add("folder", bench.folder, "where its files are, for as long as it runs")
      .flag("json", bench.json, "print JSON");
  if (!options.parse(args)) return 0;
  check_at_least_one({bench.repeats, bench.seconds});
  bench_game(bench.game);
  if (bench.workers < 1) bench.workers = usable_cores();
  const StopSignals signals([] {
    BenchFolder::remove_all();
    _exit(130);
  });
  const BenchFolder folder(bench.folder);
  RunningLoop loop(bench, folder);
  loop.wait_for_models();
  Measured all;
  for (int i = 0; i < bench.repeats; ++i) {
    // Caches fill up while a model stays: who comes second has the better of it, so they take
    // turns.
    for (const bool alone : {i % 2 == 0, i % 2 != 0}) measure(loop, bench, alone, all);
  }
  Report report(
      {.bench = "loop",
       .what =
           "The loop on " + bench.game +
           ": self-play in it and alone, simulations per second "
           "of processor time; the share of the trainer's\nbusy time outside its steps; seconds "
           "from a model's publication until the last worker had loaded it.",
       .how = std::to_string(bench.repeats) + " alternations, " + std::to_string(bench.seconds) +
              " s a side, " + std::to_string(bench.workers) + " workers of one thread",
       .setting = {{"game", bench.game},
                   {"workers", bench.workers},
                   {"repeats", bench.repeats},
                   {"seconds", bench.seconds}},
       .columns = {{"alone", "alone_simulations_per_cpu_second", 24},
                   {"in the loop", "loop_simulations_per_cpu_second", 24},
                   {"share", "share", 20, 2},
                   {"trainer outside steps", "trainer_outside", 22, 3},
                   {"model's way, s", "model_seconds", 20, 1}}},
      bench.json);
  report.row({spread_of(all.alone), spread_of(all.together), ratio_of(all.together, all.alone),
              spread_of(all.outside), spread_of(all.lag)});
  report.finish();
  return 0;
}

}  // namespace tabula
