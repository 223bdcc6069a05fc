#pragma once
#include <optional>
#include <string>

#include "core/data/stored_game.h"
#include "core/game/rules.h"

namespace tabula {

// What is wrong with a game that claims to have been played by these rules, as one sentence, or
// nothing. Checks its form, its name and fingerprint, then plays its moves again: each must be
// legal, dice where dice fall, policies on legal moves, and the end as the record says it came.
std::optional<std::string> fault_in(const StoredGame& game, const Rules& rules);

}  // namespace tabula
