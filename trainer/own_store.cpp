#include "trainer/own_store.h"

#include <unistd.h>

#include "core/base/log.h"
#include "core/service/defaults.h"
#include "core/store/reader.h"

namespace tabula {
namespace fs = std::filesystem;
namespace {

std::string game_of(const TrainerOptions& options, const fs::path& path) {
  if (!options.link.game.empty()) return options.link.game;
  if (!fs::exists(path))
    throw Error(path.string() +
                ": there is no such database; to make one, say whose games it is for: --game "
                "NAME.");
  return Reader(path).identity().plugin;
}

}  // namespace

OwnStore::OwnStore(const TrainerOptions& options) {
  const fs::path path = options.link.replay;
  const std::string game = game_of(options, path);
  server_.emplace(
      ServiceConfig{.database = path,
                    .listen = options.listen.empty() ? default_addresses(path) : options.listen,
                    .keys = options.keys,
                    .insecure = options.insecure,
                    .keep = parse_keep(options.keep)},
      options.link.find_game(game), game);
  for (const std::string& address : server_->addresses())
    log("listening", {{"address", address}, {"database", path.string()}});
  thread_ = std::thread([this] {
    try {
      server_->run();
    } catch (const std::exception& error) {  // the disk can no longer be trusted
      log(error.what());
      _exit(1);
    }
  });
}

OwnStore::~OwnStore() {
  server_->stop();
  thread_.join();
}

}  // namespace tabula
