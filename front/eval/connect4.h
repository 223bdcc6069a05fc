#pragma once
#include <optional>
#include <string>
#include <vector>

#include "front/eval/positions.h"

namespace tabula {

constexpr const char* kConnect4 = "connect4";

// A position of Connect Four to be judged.
struct Connect4Line {
  std::string moves;        // columns, "4453"; the game is not over
  std::optional<int> sign;  // of its score for the mover, if it is known
  std::string source;       // where it comes from: "FILE, line 7"
};

std::vector<Judged> judge_connect4(const Rules& rules, const std::vector<Connect4Line>& lines,
                                   const Judging& judging);

}  // namespace tabula
