#include "bench/inference.h"

#include <algorithm>

#include "bench/alternation.h"
#include "bench/positions.h"
#include "bench/report.h"
#include "bench/torch_threads.h"
#include "core/nn/cpu/processor.h"
#include "core/nn/cpu/tower.h"

namespace tabula {
namespace {

constexpr int kPositions = 1024;
constexpr int kRowsAtOnce = 64;  // at least, between two looks at the clock

std::vector<Kernel> kernels_of(const NetShape& shape, Kernel wanted) {
  if (wanted != Kernel::automatic) return {wanted};
  std::vector<Kernel> kernels = {Kernel::fp32};
  if (winograd_usable(shape)) kernels.push_back(Kernel::winograd);
  if (amx_usable()) kernels.push_back(Kernel::bf16);
  return kernels;
}

struct Engines {
  std::vector<std::unique_ptr<Engine>> all;
  std::size_t ours = 0;  // the first ones; LibTorch's follow
};

Engines engines_of(const Net& net, Kernel kernel) {
  Engines engines;
  for (Kernel one : kernels_of(net.shape, kernel)) engines.all.push_back(cpu_engine(net, one));
  engines.ours = engines.all.size();
  if (!torch_installed()) return engines;
  for (bool frozen : {true, false})
    engines.all.push_back(torch_with_threads(1).engine(
        net, {.device = "cpu", .in_flight = 1, .frozen = frozen, .threads = 1}));
  return engines;
}

// Batches of an endless round through the positions.
class Questions {
 public:
  Questions(const Rules& rules, int batch)
      : width_(std::size_t(rules.plane_floats())),
        batch_(std::size_t(batch)),
        positions_(std::size_t(std::max(kPositions, batch))),
        planes_(random_planes(rules, int(positions_), 1)),
        outputs_(batch_ * std::size_t(NetShape::of(rules).outputs())) {}

  // Returns how many positions were judged.
  std::size_t ask(Engine& engine) {
    std::size_t asked = 0;
    for (; asked < kRowsAtOnce; asked += batch_, at_ += batch_) {
      if (at_ + batch_ > positions_) at_ = 0;
      engine.run(int(batch_), &planes_[at_ * width_], outputs_.data());
    }
    return asked;
  }

 private:
  std::size_t width_, batch_, positions_, at_ = 0;
  std::vector<float> planes_, outputs_;
};

// LibTorch's faster mode, if it is there.
const std::vector<double>* best_of_torch(const Rates& rates, std::size_t ours) {
  const std::vector<double>* best = nullptr;
  for (std::size_t i = ours; i < rates.size(); ++i)
    if (!best || spread_of(rates[i]).median > spread_of(*best).median) best = &rates[i];
  return best;
}

void measure(const Rules& rules, const Net& net, int batch, const InferenceBench& config,
             Report& report) {
  const Engines engines = engines_of(net, config.kernel);
  Questions questions(rules, batch);
  std::vector<Side> sides;
  for (const auto& engine : engines.all)
    sides.push_back([&](double seconds) {
      return rate_of(processor_seconds, seconds, [&] { return questions.ask(*engine); });
    });
  const Rates rates = alternate(sides, config.repeats, config.milliseconds);
  const std::vector<double>* torch = best_of_torch(rates, engines.ours);
  const double flops = double(cost_of(net.shape, net.config).flops);
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const Spread rate = spread_of(rates[i]);
    report.row({rules.name(), to_text(net.config), batch, engines.all[i]->name(), rate,
                torch ? Cell(ratio_of(rates[i], *torch)) : Cell(), rate.median * flops * 1e-9});
  }
}

ReportHead head_of(const InferenceBench& config) {
  const bool torch = torch_installed();
  return {.bench = "inference",
          .what = std::string("Evaluations a second by our engine and by LibTorch, in turn, on "
                              "positions of random games.") +
                  (torch ? "" : "\nThis installation has no LibTorch to compare with."),
          .how = "one thread, " + std::to_string(config.repeats) + " alternations, " +
                 std::to_string(config.milliseconds) + " ms of processor time a side",
          .setting = {{"threads", 1},
                      {"clock", "processor"},
                      {"libtorch", torch},
                      {"repeats", config.repeats},
                      {"milliseconds", config.milliseconds}},
          .columns = {{"game", "game", -9},
                      {"net", "net", -14},
                      {"batch", "batch", 5},
                      {"engine", "engine", -24},
                      {"evaluations/s", "evaluations_per_second", 24},
                      {"to LibTorch's best", "ratio", 20, 2},
                      {"GFLOP/s", "gflops", 8, 1}}};
}

}  // namespace

void bench_inference(const std::vector<RulesPtr>& games, const InferenceBench& config) {
  for (const RulesPtr& rules : games)  // complain before anything is printed
    cpu_engine(new_net(*rules, {.blocks = 1, .channels = 32}, 1), config.kernel);
  if (torch_installed()) torch_with_threads(1);
  Report report(head_of(config), config.json);
  for (const RulesPtr& rules : games)
    for (const NetConfig& shape : config.nets)
      for (int batch : config.batches)
        measure(*rules, new_net(*rules, shape, 1), batch, config, report);
  report.finish();
}

}  // namespace tabula
