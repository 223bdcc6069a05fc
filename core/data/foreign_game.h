#pragma once
#include <span>
#include <string>
#include <variant>

#include "core/data/stored_game.h"

namespace tabula {

using ForeignMove = std::variant<std::string, Action>;  // by its name, or its number

// A game that others played, dice included, as our own are kept: every ply is by the model
// `foreign`. One that its moves do not end was given up by the loser, and is kept up to the
// loser's last move. Equal games get equal ids. Throws Error, with a clause that says why, if a
// move is not legal, or the result is not what the rules say.
StoredGame foreign_game(const Rules& rules, std::span<const ForeignMove> moves, int result,
                        const std::string& worker);

}  // namespace tabula
