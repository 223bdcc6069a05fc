#include "front/commands.h"

#include <unistd.h>

#include <iostream>

#include "core/game/check/check.h"
#include "front/check_report.h"
#include "front/plugins.h"
#include "front/watched_child.h"

namespace tabula {
namespace {

struct Request {
  std::string game;
  CheckConfig check;
  int patience = 20;  // seconds
  Plugins plugins;
};

std::string quoted(const std::string& word) {
  return word.find_first_of(" '\"$&;()*?<>|\\") == word.npos ? word : "'" + word + "'";
}

void print_verdict(const Request& request, std::size_t laws) {
  const CheckConfig usual, &check = request.check;
  std::cout << request.game << " breaks the contract: " << laws << (laws == 1 ? " law" : " laws")
            << ". To repeat: tabula check-game " << quoted(request.game) << " --seed "
            << check.seed;
  if (check.playouts != usual.playouts) std::cout << " --playouts " << check.playouts;
  if (check.threads != usual.threads) std::cout << " --threads " << check.threads;
  for (const std::string& folder : request.plugins.folders)
    std::cout << " --plugins " << quoted(folder);
  std::cout << "\n";
}

// In the child: all of the game's code runs here, its loading too.
int check(const Request& request, Trace& trace) {
  trace.call(Trace::kMain, "loading the plugin");
  Registry registry = request.plugins.registry();
  const RulesPtr rules = registry.find(request.game);
  const std::vector<Breach> breaches = check_contract(*rules, request.check, trace);
  if (!breaches.empty()) {
    for (const Breach& breach : breaches) print_breach(std::cout, *rules, breach);
    print_verdict(request, breaches.size());
    return 1;
  }
  trace.start(Trace::kMain);
  trace.call(Trace::kMain, "random play");
  const GameFacts facts = measure_game(*rules, request.check.seed, 0.25, [&] { trace.tick(); });
  trace.be_patient();  // fingerprints are one long call
  std::cout << rules->name() << " keeps the contract: " << request.check.playouts
            << " playouts, seed " << request.check.seed << ".\n";
  print_facts(std::cout, *rules, facts);
  return 0;
}

// The child died or hung. Another child shows where, as far as the game still can.
int report_loss(const Request& request, const Trace& trace, const std::string& what) {
  const std::string method = trace.method() ? trace.method() : "loading the plugin";
  const Breach breach{"the game comes back from every call", "a return from " + method, what,
                      trace.moves()};
  const Outcome shown = run_watched(
      [&](Trace& own) {
        own.call(Trace::kMain, "replaying");
        Registry registry = request.plugins.registry();
        print_breach(std::cout, *registry.find(request.game), breach);
        return 0;
      },
      request.patience, {});
  if (!shown.lost.empty()) print_bare_breach(std::cout, breach);
  print_verdict(request, 1);
  return 1;
}

void show_progress(const Request& request, const Trace& trace, double seconds) {
  static double next_line = 2;
  const bool terminal = isatty(STDERR_FILENO);
  if (!terminal && seconds < next_line) return;
  if (!terminal) next_line = seconds + 5;
  std::cerr << (terminal ? "\r\033[K" : "") << "checking " << request.game << ": playout "
            << trace.playouts() << " of " << request.check.playouts << ", " << trace.calls()
            << " calls" << (terminal ? "" : "\n") << std::flush;
}

}  // namespace

int check_game_command(const Args& args) {
  Request request;
  Options options("tabula check-game GAME|PLUGIN.so [options]",
                  "Proves on random play that a game keeps the contract (docs/contract.md), and "
                  "reports what\nrandom play tells about it. The game runs in a child process.");
  options.argument("GAME", request.game);
  options.add("playouts", request.check.playouts, "games to play");
  options.add("seed", request.check.seed, "of the random moves; a report names it");
  options.add("threads", request.check.threads, "that play at once");
  options.add("patience", request.patience, "seconds that one call may take");
  request.plugins.declare(options);
  if (!options.parse(args)) return 0;
  if (request.check.playouts < 1 || request.patience < 1)
    throw Error("--playouts and --patience must be at least 1.");
  if (request.check.threads < 1 || request.check.threads > 64)
    throw Error("--threads must be from 1 to 64.");

  const auto progress = [&](const Trace& trace, double seconds) {
    show_progress(request, trace, seconds);
  };
  Trace trace;
  const Outcome outcome = run_watched([&](Trace& own) { return check(request, own); },
                                      request.patience, progress, &trace);
  if (isatty(STDERR_FILENO)) std::cerr << "\r\033[K" << std::flush;
  return outcome.lost.empty() ? outcome.status : report_loss(request, trace, outcome.lost);
}

}  // namespace tabula
