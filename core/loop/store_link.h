// How a program finds its store and its game: the options that all of them have.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/health.h"
#include "core/cli/options.h"
#include "core/game/registry.h"
#include "core/wire/client.h"

namespace tabula {

struct StoreLink {
  std::string replay = kDefaultAddress, key, game;
  std::vector<std::string> plugins;
  std::string log_format = "text", health = default_health_file();

  void declare(Options& options);

  std::string address() const;  // of --replay; of a path: where its owner listens. Throws Error.
  std::optional<ClientKeys> keys() const;
  RulesPtr find_game(const std::string& name) const;

  // The game is the store's, unless --game names a plugin, whose rules must be the store's. Waits
  // for the store while `go_on` says so; nothing if it does not any more. `head`, if wanted: the
  // store's newest sequence number.
  RulesPtr greet(Client& store, const std::string& program, const std::function<bool()>& go_on,
                 std::uint64_t* head = nullptr) const;
};

// Where a game's defaults for training are, whoever made it: PLUGIN.ini beside PLUGIN.so.
std::filesystem::path defaults_of(const Rules& rules);

}  // namespace tabula
