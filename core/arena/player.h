// Who plays in matches.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "core/arena/mover.h"
#include "core/eval/evaluator.h"
#include "core/nn/torch_library.h"
#include "core/search/config.h"

namespace tabula {

// Searches with an evaluator's answers, or chooses by itself. Used by one thread.
struct Player {
  std::string name;
  SearchConfig search{};
  std::unique_ptr<Evaluator> evaluator{};
  std::unique_ptr<Mover> mover{};  // if there is no evaluator
};

// Throws Error if the network was made for other rules.
Player net_player(const std::string& name, const Net& net, const Rules& rules, int simulations,
                  const EngineConfig& engine);

// Where players come from.
struct PlayerSource {
  int simulations = 200;  // of models that do not say
  EngineConfig engine{};
  // The network of this name; null: a file.
  std::function<Net(const std::string& name)> model{};
  // An exact player of this game; null, or nothing returned: there is none.
  std::function<std::unique_ptr<Mover>(const Rules& rules)> solver{};
};

// random, rollout:SIMS, minimax:DEPTH, solver, MODEL, MODEL@SIMS or MODEL@SIMS:KERNEL (of our own
// engine). Throws Error.
Player make_player(const std::string& text, const Rules& rules, const PlayerSource& source);

}  // namespace tabula
