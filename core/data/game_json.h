// Games as lines of JSON, for other people's tools.
//
//   {"id": "0f...", "game": "connect4", "worker": "w", "models": ["uniform"], "ending": "by_rules",
//    "result": 1, "moves": ["4", "4", ...]}
//
// with, if asked for, one element a ply in "values" ([win, draw, loss] for the mover, or null) and
// "policies" ({"4": 0.25, ...}, or null). To be read, a line needs "moves" and "result" only.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/data/foreign_game.h"

namespace tabula {

// Without rules, moves are numbers. requires: with rules, the game's moves are legal by them
std::string game_json(const StoredGame& game, const Rules* rules, bool policies);

struct ForeignLine {
  std::vector<ForeignMove> moves;
  int result = 0;
};
// Throws Error, with a clause that says why.
ForeignLine read_game_json(std::string_view line);

}  // namespace tabula
