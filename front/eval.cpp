#include <iostream>

#include "core/base/cores.h"
#include "front/commands.h"
#include "front/eval/models.h"
#include "front/eval/positions.h"
#include "front/eval/report.h"
#include "front/plugins.h"

namespace tabula {
namespace {

constexpr const char* kUntrained = "untrained";

struct EvalOptions {
  std::string game, model, run, net = "5x64", kernel = "auto", method = "puct",
                                symmetry = "averaged";
  std::string positions, cache;
  int solver = 0, first_ply = -1;
  bool lines = false, no_baselines = false, json = false;
  int simulations = 600, threads = usable_cores();
  int batch = 64;
  std::uint64_t seed = 1;
  SearchConfig search;
  Plugins plugins;

  void declare(Options& options);
  void check() const;
  bool position_given() const { return !positions.empty() || solver > 0; }
  Choosing choosing() const;
};

void EvalOptions::declare(Options& options) {
  options.argument("GAME", game);
  options.add("model", model,
              "a file; of a run: champion, latest or an id; or untrained, a new network");
  options.add("run", run, "the run's folder, whose database is games.db");
  options.add("positions", positions, "judge moves in the positions of this file (connect4)");
  options.add("solver", solver, "or in so many random positions");
  options.add("first-ply", first_ply,
              "random positions have at least so many plies (-1: as many "
              "as judging wants)");
  options.flag("exact-play", lines,
               "follow every line of exact play, and of any play (small games)");
  options.add("simulations", simulations, "of each search; 0: only the networks alone");
  options.add("method", method, "of search: puct or gumbel");
  options.add("c-puct", search.c_puct, "how much PUCT explores");
  options.add("fpu-reduction", search.fpu_reduction, "how much worse PUCT takes new moves to be");
  options.add("look-ahead", search.look_ahead,
              "whether a leaf's moves are tried for one that wins");
  options.add(
      "symmetry", symmetry,
      "what searches see of a network: its mean over symmetries (averaged), or one (drawn)");
  options.flag("no-baselines", no_baselines, "leave the untrained network and rollouts out");
  options.add("net", net, "shape of the untrained network, unless the model has one");
  options.add("kernel", kernel, "of the network's engine: auto, fp32, winograd, bf16, bf16-plain");
  options.add("cache", cache, "keep what the connect4 solver says in this file");
  options.add("seed", seed, "of random positions, untrained weights, rollouts and dice");
  options.add("threads", threads, "that search and solve");
  options.add("batch", batch, "positions that a thread searches together");
  options.flag("json", json, "print JSON");
  plugins.declare(options);
}

void require(bool holds, const char* sentence) {
  if (!holds) throw Error(sentence);
}

void EvalOptions::check() const {
  require(!model.empty() || !run.empty(),
          "which model? Say --model FILE, --run DIR, or --model untrained.");
  require(positions.empty() || solver == 0, "say --positions FILE or --solver N, not both.");
  require(solver >= 0 && solver <= 1'000'000, "--solver must be from 1 to 1000000 positions.");
  require(simulations >= 0 && simulations <= 1'000'000, "--simulations must be from 0 to 1000000.");
  require(threads >= 1 && threads <= 1024, "--threads must be from 1 to 1024.");
  require(batch >= 1 && batch <= 4096, "--batch must be from 1 to 4096.");
  require(symmetry == "averaged" || symmetry == "drawn", "--symmetry must be averaged or drawn.");
  require(method == "puct" || method == "gumbel", "--method must be puct or gumbel.");
}

Choosing EvalOptions::choosing() const {
  Choosing choosing{search, seed, threads, batch};
  choosing.search.method = method == "puct" ? Method::puct : Method::gumbel;
  choosing.search.simulations = simulations;
  return choosing;
}

// The model, an untrained network of its shape, and rollouts.
std::vector<EvalPlayer> players_of(const EvalOptions& options, const Rules& rules,
                                   std::string& model) {
  std::vector<EvalPlayer> players;
  const NetUse use{parse_kernel(options.kernel), options.symmetry == "averaged"};
  NetConfig shape;
  if (options.model == kUntrained) {
    shape = parse_net_config(options.net);
    model = kUntrained;
  } else {
    const NamedNet found =
        find_net(options.model.empty() ? "champion" : options.model, options.run, rules);
    players.push_back(net_player("network", found.net, rules, use));
    shape = found.net.config;
    model = found.name;
  }
  if (options.no_baselines && !players.empty()) return players;
  players.push_back(net_player(kUntrained, new_net(rules, shape, options.seed), rules, use));
  if (options.simulations > 0) players.push_back(rollout_player(options.seed));
  return players;
}

void add_positions(const EvalOptions& options, const Rules& rules,
                   std::span<const EvalPlayer> players, EvalReport& report) {
  const Judging judging{options.threads, options.cache};
  const bool file = !options.positions.empty();
  const std::vector<Judged> positions =
      file ? positions_in_file(rules, options.positions, judging)
           : random_positions_of(rules, std::size_t(options.solver), options.seed,
                                 options.first_ply, judging);
  report.add_positions(measure_positions(positions, players, options.choosing()),
                       file ? options.positions : "random", thrown_at_random(positions));
}

}  // namespace

int eval_command(const Args& args) {
  EvalOptions given;
  Options options(
      "tabula eval GAME --model M [--run DIR] [--positions FILE | --solver N] [--simulations S]",
      "Measures a network against the truth: in which share of positions its move throws the "
      "game's "
      "value\n(win, draw or loss) away, alone and with search, beside an untrained network and "
      "rollouts. Pig is\nevaluated exactly against optimal play.");
  given.declare(options);
  if (!options.parse(args)) return 0;
  given.check();
  Registry registry = given.plugins.registry();
  const RulesPtr rules = registry.find(given.game);
  const bool pig = rules->name() == kPig;
  require(pig || given.position_given() || given.lines,
          "which positions? Say --positions FILE, --solver N, or, of a small game, --exact-play.");
  std::string model;
  const std::vector<EvalPlayer> players = players_of(given, *rules, model);

  EvalReport report;
  report.json = {
      {"game", rules->name()}, {"model", model}, {"method", given.method}, {"seed", given.seed}};
  if (given.position_given()) add_positions(given, *rules, players, report);
  if (given.lines) report.add_lines(measure_lines(*rules, players, given.choosing()));
  if (pig) report.add_pig(measure_pig(*rules, players, given.choosing()));
  if (given.json)
    std::cout << report.json.dump(2, ' ', true, EvalReport::Json::error_handler_t::replace) << "\n";
  else
    std::cout << rules->name() << ", " << model << "\n\n" << report.text;
  return 0;
}

}  // namespace tabula
