#include "selfplay/sinks.h"

#include <cstdlib>

#include "core/base/digest.h"
#include "core/data/game_codec.h"
#include "core/data/game_json.h"

namespace tabula {
namespace fs = std::filesystem;
namespace {

constexpr int kMostWorkers = 1024;  // of one user, for one store, on one machine

fs::path state_folder() {
  if (const char* given = std::getenv("XDG_STATE_HOME"); given && *given) return given;
  if (const char* home = std::getenv("HOME"); home && *home)
    return fs::path(home) / ".local" / "state";
  throw Error("where to keep games that the store does not have yet? --outbox DIR says it.");
}

}  // namespace

void CourierSink::deliver(const StoredGame& game) {
  courier_.deliver({game.id, encode_game(game)});
}

FileSink::FileSink(const std::string& file, const Rules& rules)
    : name_(file), rules_(rules), file_(file, std::ios::trunc) {
  if (!file_) throw Error(file + ": cannot write there.");
}

void FileSink::deliver(const StoredGame& game) {
  if (game.adjourned()) return;
  // As a store would hand it out: rounded.
  const std::string line = game_json(decode_game(encode_game(game)), &rules_, true);
  const std::lock_guard lock(mutex_);
  file_ << line << "\n";
}

void FileSink::finish() {
  if (!file_.flush()) throw Error(name_ + ": cannot write there.");
}

std::unique_ptr<Courier> make_courier(CourierConfig& config, const Rules& rules) {
  if (!config.outbox.empty()) return std::make_unique<Courier>(config);
  // Another store may be at the same address tomorrow.
  const std::string store = config.address + " " + rules.name() + " " +
                            std::to_string(rules.fingerprints().rules) + " " +
                            (config.keys ? hex(config.keys->store) : "");
  const fs::path folder =
      state_folder() / "tabula" / ("outbox-" + hex(digest_of(store)).substr(0, 12));
  for (int i = 1;; ++i) {
    config.outbox = folder / std::to_string(i);
    fs::create_directories(config.outbox);
    try {
      return std::make_unique<Courier>(config);
    } catch (const OutboxTaken&) {
      if (i == kMostWorkers) throw;
    }
  }
}

}  // namespace tabula
