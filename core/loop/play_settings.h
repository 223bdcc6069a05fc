// How self-play plays, as options and INI keys name it.
#pragma once
#include <cstdint>
#include <string>

#include "core/cli/options.h"
#include "core/nn/torch_library.h"
#include "core/search/game_config.h"

namespace tabula {

struct PlaySettings {
  GameConfig game = {.search = {.simulations = 400, .noise_fraction = 0.25f},
                     .full_share = 0.25f,
                     .cheap_simulations = 80};
  std::string method = "puct";
  EngineConfig engine;
  int games_per_thread = 0;  // at once; fewer finish sooner, more fill larger batches; 0: by engine
  int cache_megabytes = 64;  // of each thread
  bool symmetry = true;      // positions are judged through one drawn at random
  int rollouts = 1;          // playouts of a position while there is no network
  // While there is none: so many positions of all workers, then they wait for one. 0: no limit.
  std::uint64_t rollout_positions = 20000;

  void declare(Options& options);
  void check();              // after parsing: throws Error for numbers out of range
  std::string text() const;  // what a game's record says of how it was played
};

}  // namespace tabula
