#pragma once
#include <string>
#include <vector>

#include "core/game/rules.h"

namespace tabula {

// A law of the contract that a game broke, and where.
struct Breach {
  std::string law;  // "legal moves ascend"
  std::string expected, came;
  std::vector<Action> moves;  // from the start to the position
};

}  // namespace tabula
