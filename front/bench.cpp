#include "front/bench.h"

#include <unistd.h>

#include <map>

#include "bench/games.h"
#include "bench/search.h"
#include "bench/store.h"
#include "bench/store_site.h"
#include "core/cli/program.h"
#include "front/commands.h"
#include "front/plugins.h"

namespace tabula {
namespace {

std::vector<RulesPtr> chosen(const std::string& only) {
  Registry registry({installed_plugins()});
  return only.empty() ? registry.list().games : std::vector{registry.find(only)};
}

int bench_games_command(const Args& args) {
  std::string only;
  GamesBench bench;
  Options options("tabula bench games [options]",
                  "Plays random games of every shipped game through the plugin boundary and by "
                  "direct calls, in turn,\nand prints the ratio of the times.");
  options.add("game", only, "this game only");
  options.add("repeats", bench.repeats, "alternations of the two sides");
  options.add("milliseconds", bench.milliseconds, "for each side of an alternation");
  options.flag("json", bench.json, "print JSON");
  if (!options.parse(args)) return 0;
  check_at_least_one({bench.repeats, bench.milliseconds});
  bench_games(chosen(only), bench);
  return 0;
}

int bench_search_command(const Args& args) {
  std::string only;
  SearchBench bench;
  bool gumbel = false;
  Options options("tabula bench search [options]",
                  "Searches whole games of self-play with an evaluator that costs next to nothing, "
                  "and prints walks\ndown the tree per second on one core.");
  options.add("game", only, "this game only");
  options.add("games", bench.games, "played together");
  options.add("simulations", bench.search.simulations, "a move");
  options.add("repeats", bench.repeats, "measurements");
  options.add("milliseconds", bench.milliseconds, "for each");
  options.flag("gumbel", gumbel, "Gumbel instead of PUCT");
  options.flag("look-ahead", bench.search.look_ahead, "try a leaf's moves for one that wins");
  options.flag("json", bench.json, "print JSON");
  if (!options.parse(args)) return 0;
  check_at_least_one({bench.repeats, bench.milliseconds, bench.games, bench.search.simulations});
  if (gumbel) bench.search.method = Method::gumbel;
  bench_search(chosen(only), bench);
  return 0;
}

int bench_store_command(const Args& args) {
  StoreBench bench;
  std::vector<std::string> names;
  std::string folder = ".";
  Options options(
      "tabula bench store [options]",
      "Sends games from workers through outboxes, encryption and checks into a database "
      "on the disk, and\nreads them back as a trainer does; SQLite alone is the "
      "yardstick.");
  options.add_list("game", names, "whose games, any number of times (default: connect4 and go9)");
  options.add("workers", bench.workers, "that send at once");
  options.add("queued", bench.queued, "games that each has on the way");
  options.add("repeats", bench.repeats, "alternations of the two sides");
  options.add("milliseconds", bench.milliseconds, "for each side of an alternation");
  std::int64_t large = 0;
  options.add("large", large, "also open a database of so many positions after a kill");
  options.add("folder", folder, "on the disk to be measured");
  options.flag("json", bench.json, "print JSON");
  if (!options.parse(args)) return 0;
  check_at_least_one({bench.repeats, bench.milliseconds, bench.workers, bench.queued});
  if (large < 0 || large > 1'000'000'000)
    throw Error("--large takes 0 to 1000000000 positions, not " + std::to_string(large) + ".");
  bench.large = std::uint64_t(large);
  const StopSignals signals([] {  // what it wrote may be gigabytes
    BenchFolder::remove_all();
    _exit(130);
  });
  bench.folder = folder;
  if (names.empty()) names = {"connect4", "go9"};
  std::vector<RulesPtr> games;
  for (const std::string& name : names) games.push_back(bench_game(name));
  bench_store(games, bench);
  return 0;
}

const std::map<std::string, int (*)(const Args&)> kBenches = {
    {"games", bench_games_command},         {"search", bench_search_command},
    {"inference", bench_inference_command}, {"selfplay", bench_selfplay_command},
    {"loop", bench_loop_command},           {"store", bench_store_command},
    {"training", bench_training_command}};

}  // namespace

RulesPtr bench_game(const std::string& name) { return Registry({installed_plugins()}).find(name); }

void check_at_least_one(std::initializer_list<int> numbers) {
  for (int number : numbers)
    if (number < 1)
      throw Error(
          "a number of repeats, seconds, milliseconds, games, simulations, threads or megabytes "
          "must be at least 1.");
}

int bench_command(const Args& args) {
  const std::string what = args.empty() ? "--help" : args[0];
  const Args rest(args.empty() ? args.begin() : args.begin() + 1, args.end());
  if (const auto found = kBenches.find(what); found != kBenches.end()) return found->second(rest);
  std::string ignored;
  Options options("tabula bench games|search|inference|selfplay|training|store|loop [options]",
                  "Measures speed on this machine; 'tabula bench WHAT --help' tells more.");
  options.argument("WHAT", ignored);
  if (!options.parse(args.empty() ? Args{"--help"} : args)) return 0;
  throw Error(
      "'" + what +
      "' cannot be measured; say games, search, inference, selfplay, training, store or loop.");
}

}  // namespace tabula
