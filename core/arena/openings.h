// Random beginnings of games, drawn without replacement.
#pragma once
#include <cstdint>
#include <vector>

#include "core/game/state.h"

namespace tabula {

using MoveList = std::vector<Action>;

// At most so many openings of exactly `plies` plies, dice among them, none of which ends the game
// and no two of which come to the same position; fewer when the game has no more. The first ones do
// not depend on how many are wanted. Where dice roll, positions may repeat: the dice to come are
// part of an opening.
std::vector<MoveList> draw_openings(const Rules& rules, std::uint64_t seed, int plies,
                                    std::size_t most);

// The fewest plies with so many openings, or else those with most; at most a quarter of the longest
// game.
int plies_for_openings(const Rules& rules, std::size_t wanted);

}  // namespace tabula
