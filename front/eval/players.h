// Who is measured: networks, and rollouts to compare them with.
#pragma once
#include <string>

#include "core/nn/engine.h"
#include "core/truth/choices.h"

namespace tabula {

struct EvalPlayer {
  std::string name;
  MakeEvaluator alone;      // whose priors choose without search; none: they say nothing
  MakeEvaluator searching;  // what a search asks
};

struct NetUse {
  Kernel kernel = Kernel::automatic;
  bool average = true;  // searches ask for the mean over symmetries, else for one of them
};

// Alone a network is asked for the mean over symmetries.
EvalPlayer net_player(const std::string& name, const Net& net, const Rules& rules, NetUse use = {});
EvalPlayer rollout_player(std::uint64_t seed);

}  // namespace tabula
