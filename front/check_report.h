#pragma once
#include <iosfwd>

#include "core/game/check/check.h"

namespace tabula {

// The law, the moves, the board, what was expected and what came. Runs the game's code.
void print_breach(std::ostream& out, const Rules& rules, const Breach& breach);
// The same without moves' names and board: for a game that cannot be asked any more.
void print_bare_breach(std::ostream& out, const Breach& breach);

void print_facts(std::ostream& out, const Rules& rules, const GameFacts& facts);

}  // namespace tabula
