// What `tabula train` was told, or what a run's file and its game say.
#pragma once
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/arena/settings.h"
#include "core/cli/program.h"
#include "core/loop/learn_settings.h"
#include "core/loop/play_settings.h"
#include "front/plugins.h"

namespace tabula {

struct TrainOptions {
  std::string game, run, keys, pages, keep = "all";
  std::vector<std::string> listen;
  int workers = -1;
  double minutes = 0, arena_share = -1;
  int cores = 0;
  std::uint64_t seed = 1;
  std::uint64_t rounds = 0;
  int games = 64, threads = 1;
  bool lockstep = false;
  Plugins plugins;
  PlaySettings play;
  LearnSettings learn;
  // One machine has too little time for tests that decide: see docs/training.md.
  ArenaSettings arena{.gate = "none"};
  std::string typed;  // the arguments, for whoever goes on: all but --minutes
  std::map<std::string, std::string> given;  // of the settings that the programs read
  std::set<std::string> found;               // and those that the game's file sets, by name

  // False if the help was printed. With a game, its defaults count too.
  bool parse(const Args& args, const Rules* rules = nullptr);
};

// Options that mean nothing here must not be given in vain.
void refuse(const Args& args, std::initializer_list<const char*> names, const std::string& why);

// What the programs will make of the run's file and the game's. Throws Error if nothing could come
// of it.
TrainOptions settings_of(const std::filesystem::path& file, const TrainOptions& options,
                         const Rules& rules);

}  // namespace tabula
