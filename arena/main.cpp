// The arena: tests candidates against the champion, and rates players.
#include <unistd.h>

#include <atomic>
#include <thread>

#include "arena/commands.h"
#include "core/arena/arena.h"
#include "core/base/log.h"
#include "core/base/printable.h"
#include "core/cli/program.h"

namespace {
using namespace tabula;

struct ArenaOptions : CommonOptions {
  ArenaConfig arena;
  std::string gate = "sprt";

  bool parse(const Args& args) {
    replay = kDefaultAddress;
    arena.cores = std::max(1, int(std::thread::hardware_concurrency()));
    Options options("arena [--replay ADDRESS] [options]\n       arena tournament PLAYER PLAYER ...",
                    "Tests the newest candidate against the champion, with pairs of games and a "
                    "sequential test,\nand promotes it if it is better.");
    options.add("replay", replay, "the store's address");
    declare(options);
    options.add("gate", gate, "sprt: candidates must be found better; none: promote all")
        .add("arena-simulations", arena.simulations, "a move")
        .add("arena-opening-plies", arena.opening_plies,
             "random plies before each pair; -1: as few as give each pair its own opening")
        .add("arena-pairs", arena.most_pairs, "at most, in one match")
        .add("rating-pairs", arena.rating_pairs, "with --gate none: in each match for the rating")
        .add("elo0", arena.sprt.elo0, "a candidate this much stronger is not better")
        .add("elo1", arena.sprt.elo1, "a candidate this much stronger is better")
        .add("alpha", arena.sprt.alpha, "the chance to promote one at elo0")
        .add("beta", arena.sprt.beta, "the chance to miss one at elo1")
        .add("games-at-once", arena.games_at_once, "side by side, for larger batches")
        .add("share", arena.share, "of the cores, that this program may use")
        .add("cores", arena.cores, "that share is of so many")
        .add("lease", arena.lease_seconds, "seconds until a pair that was begun is lent to others")
        .add("log-format", log_format, "text or json");
    return options.parse(args);
  }
};

std::string worker_name() {
  char host[65] = {};
  gethostname(host, sizeof host - 1);
  return printable(host, 50) + "/" + std::to_string(getpid());
}

int serve(const Args& args) {
  ArenaOptions options;
  if (!options.parse(args)) return 0;
  set_log_format(parse_log_format(options.log_format));
  if (options.gate != "sprt" && options.gate != "none")
    throw Error("'" + options.gate + "' is no gate; there are sprt and none.");
  ArenaConfig config = options.arena;
  config.address = options.replay;
  if (!options.key.empty()) config.keys = read_client_keys(options.key);
  config.worker = worker_name();
  config.gated = options.gate == "sprt";
  config.engine = options.engine;

  std::atomic<Arena*> running = nullptr;
  std::atomic<bool> stopped = false;
  const StopSignals signals([&] {
    stopped = true;
    if (Arena* arena = running) arena->stop();
  });
  Registry registry = options.registry();
  Arena arena(config, [&](const std::string& game) {
    return registry.find(options.game.empty() ? game : options.game);
  });
  running = &arena;
  if (!stopped) arena.run();
  running = nullptr;
  log("stopped");
  return 0;
}

int arena(const Args& args) {
  if (!args.empty() && args[0] == "tournament")
    return tournament_command({args.begin() + 1, args.end()});
  return serve(args);
}

}  // namespace

int main(int argc, char** argv) { return tabula::run_program("arena", argc, argv, arena); }
