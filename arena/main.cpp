// The arena: tests candidates against the champion, and rates players.
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <optional>

#include "arena/commands.h"
#include "core/arena/settings.h"
#include "core/base/cores.h"
#include "core/base/health.h"
#include "core/base/log.h"
#include "core/base/printable.h"
#include "core/cli/program.h"
#include "core/loop/run_settings.h"
#include "core/loop/store_link.h"

namespace {
using namespace tabula;

struct ArenaOptions {
  StoreLink link;
  ArenaSettings arena;

  // False if the help was printed. With a game, its defaults count too.
  bool parse(const Args& args, const Rules* rules = nullptr) {
    ArenaConfig& config = arena.config;
    config.cores = usable_cores();
    Options options("arena [--replay ADDRESS] [options]\n       arena tournament PLAYER PLAYER ...",
                    "Tests the newest candidate against the champion, with pairs of games and a "
                    "sequential test,\nand promotes it if it is better.");
    link.declare(options);
    arena.declare(options);
    options.add("games-at-once", config.games_at_once, "side by side, for larger batches")
        .add("share", config.share, "of the cores, that this program may use")
        .add("cores", config.cores, "that share is of so many")
        .add("nice", nice, "how readily it leaves the processor to others: 0 to 19")
        .add("lease", config.lease_seconds, "seconds until a pair that was begun is lent to others")
        .add("engine", config.engine.engine, "cpu, torch, or auto: torch where it finds a GPU")
        .add("kernel", config.engine.kernel,
             "of the cpu engine: auto, fp32, winograd, bf16, bf16-plain")
        .add("device", config.engine.device, "of the torch engine: auto, cpu, cuda:N");
    options.also_in_files(run_setting_names());
    if (rules) options.defaults(defaults_of(*rules), rules->name());
    if (!options.parse(args)) return false;
    arena.check();
    return true;
  }
  int nice = 0;
};

std::string worker_name() {
  char host[65] = {};
  gethostname(host, sizeof host - 1);
  return printable(host, 50) + "/" + std::to_string(getpid());
}

int serve(const Args& args) {
  ArenaOptions options;
  if (!options.parse(args)) return 0;
  set_log_format(parse_log_format(options.link.log_format));
  set_health_file(options.link.health);
  std::optional<Client> store;
  std::optional<Arena> arena;
  std::mutex mutex;
  std::atomic<bool> stopped = false;
  const StopSignals signals([&] {
    const std::lock_guard lock(mutex);
    stopped = true;
    if (store) store->wake();
    if (arena) arena->stop();
  });
  setpriority(PRIO_PROCESS, 0, options.nice);
  const std::string address = options.link.address();
  {
    const std::lock_guard lock(mutex);
    store.emplace(address, options.link.keys());
  }
  RulesPtr rules = options.link.greet(*store, "arena", [&] { return !stopped; });
  if (!rules) return 0;
  options = {};
  options.parse(args, rules.get());
  ArenaConfig config = options.arena.config;
  config.address = address;
  config.keys = options.link.keys();
  config.worker = worker_name();
  {
    const std::lock_guard lock(mutex);
    arena.emplace(config, [&](const std::string&) { return rules; });
  }
  if (!stopped) arena->run();
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
