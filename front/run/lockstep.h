#pragma once
#include <atomic>
#include <filesystem>
#include <string>

#include "core/loop/learn_settings.h"
#include "core/loop/play_settings.h"

namespace tabula {

struct LockstepConfig {
  std::filesystem::path folder;
  std::string plugin;  // as the user named the game
  PlaySettings play;
  LearnSettings learn;
  int threads = 1;
  std::uint64_t seed = 1;
  double minutes = 0;        // after which no round is begun; 0: no end
  std::uint64_t rounds = 0;  // 0: no end
  int games = 64;            // of a round
};

// The same self-play and the same training in one process and in fixed order: games, then as many
// steps as the budget allows, then a model, which plays the next games. What comes out follows from
// the settings, the seed and the number of threads, also if it is killed and started again.
// Returns the id of the last model.
std::string run_lockstep(const Rules& rules, const LockstepConfig& config,
                         const std::atomic<bool>& stopped);

}  // namespace tabula
