#pragma once
#include "core/cli/options.h"
#include "core/game/registry.h"

namespace tabula {

// The option that says where else to look for games.
struct Plugins {
  std::vector<std::string> folders;

  void declare(Options& options) {
    options.add_list("plugins", folders,
                     "look for games in this folder too (also: $TABULA_PLUGINS)");
  }
  Registry registry() const { return Registry::standard({folders.begin(), folders.end()}); }
};

}  // namespace tabula
