// How training learns, as options and INI keys name it.
#pragma once
#include <string>

#include "core/cli/options.h"
#include "core/data/window.h"
#include "core/nn/trainer.h"

namespace tabula {

struct LearnSettings {
  std::string net = "auto";               // by the board and the machine
  int batch = 0;                          // 0: by the machine
  double reuse = 4;                       // how often each position may be used
  std::uint64_t first_positions = 10000;  // before the first step
  std::uint64_t publish_steps = 200;
  float learning_rate = 1e-3f;
  std::uint64_t warm_up_steps = 100;  // over which the rate rises to it
  float search_share = 0.5f;          // of the value target
  TrainConfig train;
  std::string optimizer = "adamw";
  WindowConfig window{.cheap = false};
  double window_gigabytes = 0;  // 0: by the machine
  int cores = 0;                // of the machine, that may be used; 0: all
  bool any_machine = false;     // what is left to the machine must not depend on it

  void declare(Options& options);
  void check();  // after parsing: throws Error for numbers out of range
  // The network that is meant, for this game on this machine.
  NetConfig net_for(const Rules& rules) const;
};

}  // namespace tabula
