#pragma once
#include "core/cli/options.h"
#include "core/game/registry.h"
#include "core/nn/torch_library.h"

namespace tabula {

int tournament_command(const Args& args);

// Options that both commands have.
struct CommonOptions {
  std::string replay, key, game, log_format = "text";
  std::vector<std::string> plugins;
  EngineConfig engine;

  void declare(Options& options) {
    options.add("key", key, "this arena's key file, where the store wants one")
        .add("game", game, "a name, or a plugin's file; else the store's game")
        .add_list("plugins", plugins, "look for games in this folder too (also: $TABULA_PLUGINS)")
        .add("engine", engine.engine, "cpu, torch, or auto: torch where it finds a GPU")
        .add("kernel", engine.kernel, "of the cpu engine: auto, fp32, winograd, bf16, bf16-plain")
        .add("device", engine.device, "of the torch engine: auto, cpu, cuda:N");
  }
  Registry registry() const { return Registry::standard({plugins.begin(), plugins.end()}); }
};

}  // namespace tabula
