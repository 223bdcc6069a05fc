// The replay store: ZeroMQ in front, SQLite behind; also the registry that hands out models.
#include <atomic>
#include <filesystem>
#include <optional>

#include "core/base/health.h"
#include "core/base/log.h"
#include "core/cli/program.h"
#include "core/game/registry.h"
#include "core/service/defaults.h"
#include "core/service/server.h"
#include "core/store/reader.h"
#include "replay/pages.h"

namespace {
using namespace tabula;
namespace fs = std::filesystem;

struct ReplayOptions {
  std::string db, game, keys, keep = "all", pages, health = default_health_file(),
                              log_format = "text";
  std::vector<std::string> listen, plugins;
  bool insecure = false;

  bool parse(const Args& args) {
    Options options("replay --db FILE [options]",
                    "Keeps the games and models of a run, and hands them out.");
    options.add("db", db, "the database; made if it is not there")
        .add("game", game, "whose games a new database is for: a name, or a plugin's file")
        .add_list("plugins", plugins, "look for games in this folder too (also: $TABULA_PLUGINS)")
        .add_list("listen", listen,
                  "an address such as tcp://*:7710, any number of times (default: this machine)")
        .add("keep", keep, "all, positions such as 2000000, or bytes such as 10GB")
        .add("keys", keys, "let in only clients whose keys are in this folder: see 'tabula keys'")
        .add("pages", pages,
             "serve a page, /metrics and /status over HTTP, at HOST:PORT such as *:7711")
        .add("health", health,
             "tell probes in this file how it is (also: $TABULA_HEALTH): see 'replay probe ready "
             "FILE'")
        .flag("insecure", insecure, "listen to other machines without keys")
        .add("log-format", log_format, "text or json");
    return options.parse(args);
  }
};

// How the operator names the game now, or did when the database was made. (A process that died
// while it made the database leaves one that cannot say.)
std::string game_of(const ReplayOptions& options) {
  if (!options.game.empty()) return options.game;
  if (!fs::exists(options.db))
    throw Error(options.db +
                ": there is no such database; to make one, say whose games it is "
                "for: --game NAME.");
  return Reader(options.db).identity().plugin;
}

int replay(const Args& args) {
  ReplayOptions options;
  if (!options.parse(args)) return 0;
  if (options.db.empty()) throw Error("which database? --db FILE names it.");
  set_log_format(parse_log_format(options.log_format));
  set_health_file(options.health);
  std::atomic<Server*> running = nullptr;
  std::atomic<bool> stopped = false;
  const StopSignals signals([&] {
    stopped = true;
    if (Server* server = running) server->stop();
  });
  const ServiceConfig config{
      .database = options.db,
      .listen = options.listen.empty() ? default_addresses(options.db) : options.listen,
      .keys = options.keys,
      .insecure = options.insecure,
      .keep = parse_keep(options.keep)};
  const std::string plugin = game_of(options);
  Registry registry = Registry::standard({options.plugins.begin(), options.plugins.end()});
  Server server(config, registry.find(plugin), plugin);
  running = &server;
  for (const std::string& address : server.addresses())
    log("listening", {{"address", address}, {"database", options.db}});
  std::optional<HttpServer> pages;
  if (!options.pages.empty()) {
    pages.emplace(options.pages, pages_of(server));
    log("serves pages", {{"port", std::to_string(pages->port())}});
  }
  if (!stopped) server.run();
  running = nullptr;
  log("stopped", {{"database", options.db}});
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return tabula::run_program("replay", argc, argv, replay); }
