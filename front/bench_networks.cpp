#include "bench/inference.h"
#include "bench/selfplay.h"
#include "bench/training.h"
#include "front/bench.h"

namespace tabula {
namespace {

// Options that networks' benchmarks share; lists begin empty, so that what is given replaces the
// default.
struct NetOptions {
  std::vector<std::string> nets;
  std::string kernel = "auto";

  void declare(Options& options, const char* help) { options.add_list("net", nets, help); }
  std::vector<NetConfig> configs(const std::vector<std::string>& otherwise) const {
    std::vector<NetConfig> configs;
    for (const std::string& net : nets.empty() ? otherwise : nets)
      configs.push_back(parse_net_config(net));
    return configs;
  }
};

std::vector<int> checked(std::vector<int> batches, const std::vector<int>& otherwise) {
  if (batches.empty()) batches = otherwise;
  for (int batch : batches)
    if (batch < 1 || batch > int(kMostBatch))
      throw Error("a batch must be from 1 to " + std::to_string(kMostBatch) + " positions, not " +
                  std::to_string(batch) + ".");
  return batches;
}

}  // namespace

int bench_inference_command(const Args& args) {
  std::vector<std::string> names;
  NetOptions net;
  InferenceBench bench;
  Options options("tabula bench inference [options]",
                  "Evaluates positions by our engine and by LibTorch, in turn, one thread each, "
                  "and prints evaluations\nper second and their ratio.");
  options.add_list("game", names, "connect4 unless given; may be repeated");
  net.declare(options, "5x64 unless given; may be repeated");
  options.add_list("batch", bench.batches, "positions; 1, 8 and 64 unless given; may be repeated");
  options.add(
      "kernel", net.kernel,
      "of our engine: fp32, winograd, bf16, bf16-plain, or auto for all that are fast here");
  options.add("repeats", bench.repeats, "alternations of the sides");
  options.add("milliseconds", bench.milliseconds, "for each side of an alternation");
  options.flag("json", bench.json, "print JSON");
  if (!options.parse(args)) return 0;
  check_at_least_one({bench.repeats, bench.milliseconds});
  bench.nets = net.configs({"5x64"});
  bench.kernel = parse_kernel(net.kernel);
  bench.batches = checked(bench.batches, {1, 8, 64});
  if (names.empty()) names = {"connect4"};
  std::vector<RulesPtr> games;
  for (const std::string& name : names) games.push_back(bench_game(name));
  bench_inference(games, bench);
  return 0;
}

int bench_selfplay_command(const Args& args) {
  std::string game = "connect4";
  NetOptions net;
  SelfPlayBench bench;
  bool gumbel = false;
  Options options("tabula bench selfplay [options]",
                  "Plays whole games with a network, and prints evaluations per second, the share "
                  "of the engine's own,\nwhat a cache gains, and what a second thread gains.");
  options.add("game", game, "its name");
  net.declare(options, "5x64 and 4x32 unless given; may be repeated");
  options.add("kernel", net.kernel, "of our engine: auto, fp32, winograd, bf16, bf16-plain");
  options.add("games", bench.games, "played together, in each thread");
  options.add("simulations", bench.search.simulations, "a move");
  options.add("threads", bench.threads, "compared with one");
  options.add("cache", bench.cache_megabytes, "megabytes of the cache");
  options.add("repeats", bench.repeats, "alternations of the sides");
  options.add("milliseconds", bench.milliseconds, "for each side of an alternation");
  options.flag("gumbel", gumbel, "Gumbel instead of PUCT");
  options.flag("json", bench.json, "print JSON");
  if (!options.parse(args)) return 0;
  check_at_least_one({bench.repeats, bench.milliseconds, bench.games, bench.threads,
                      bench.search.simulations, bench.cache_megabytes});
  checked({bench.games}, {});
  if (gumbel) bench.search.method = Method::gumbel;
  bench.nets = net.configs({"5x64", "4x32"});
  bench.kernel = parse_kernel(net.kernel);
  bench_selfplay(*bench_game(game), bench);
  return 0;
}

int bench_training_command(const Args& args) {
  std::string game = "connect4";
  NetOptions net;
  TrainingBench bench;
  Options options(
      "tabula bench training [options]",
      "Trains a network on positions of games of self-play, and prints samples per second "
      "and the share of the\ntime that is spent outside LibTorch.");
  options.add("game", game, "its name");
  net.declare(options, "5x64 unless given; may be repeated");
  options.add_list("batch", bench.batches, "samples a step; 256 unless given; may be repeated");
  options.add("threads", bench.threads, "of LibTorch");
  options.add("ranks", bench.ranks, "trainers that step together, compared with one");
  options.add("repeats", bench.repeats, "measurements");
  options.add("milliseconds", bench.milliseconds, "for each");
  options.flag("json", bench.json, "print JSON");
  if (!options.parse(args)) return 0;
  check_at_least_one({bench.repeats, bench.milliseconds, bench.threads, bench.ranks});
  bench.nets = net.configs({"5x64"});
  bench.batches = checked(bench.batches, {256});
  for (const int rows : bench.batches)
    if (rows < bench.ranks) throw Error("--batch must be at least --ranks.");
  bench.ranks > 1 ? bench_ranks(*bench_game(game), bench)
                  : bench_training(*bench_game(game), bench);
  return 0;
}

}  // namespace tabula
