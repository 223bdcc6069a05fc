#pragma once
#include "core/loop/learn_settings.h"
#include "core/loop/store_link.h"

namespace tabula {

struct TrainerOptions {
  StoreLink link;
  LearnSettings learn;
  std::string run, keys, keep = "all";
  std::vector<std::string> listen;
  int threads = 1, most_threads = 0, loaders = 1, report_seconds = 10;
  int trainers = 1, rank = 0;  // that step together, and which of them this is
  std::string rendezvous;
  std::uint64_t seed = 1, steps = 0;
  double minutes = 0, minutes_gone = 0, cool_down = 0.3;
  bool from_start = false, insecure = false;

  // False if the help was printed. With a game, its defaults count too.
  bool parse(const Args& args, const Rules* rules = nullptr);
  bool replay_is_path() const { return link.replay.find("://") == link.replay.npos; }
  std::filesystem::path folder() const;  // of the checkpoint and of reports
};

}  // namespace tabula
