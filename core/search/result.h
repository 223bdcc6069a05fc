#pragma once
#include <cstdint>
#include <vector>

#include "core/base/rng.h"
#include "core/base/wdl.h"
#include "core/game/rules.h"

namespace tabula {

struct MoveResult {
  Action action;
  std::uint32_t visits;
  float prior;   // with noise, if there was any
  float target;  // what training should make of it; sums to 1 over the moves
  float value;   // mean of win minus loss, for the player to move
  float bound;   // its lower confidence bound
  int proven;    // +1, 0, -1 for the player to move; 2: not proven
};

// What a finished search knows about its root, for the player to move. A value: it outlives the
// tree, and reusing one saves allocations.
struct SearchResult {
  Wdl value;
  int proven = 2;                 // as in MoveResult
  int distance = 0;               // plies to the end, if proven
  std::size_t best = 0;           // index of the move the search itself would play
  std::vector<MoveResult> moves;  // in legal order
};

// Draws a move by visits to the power of 1/temperature; 0 plays the best. A proven result is played
// as it stands: the shortest win, the longest loss.
std::size_t draw_move(const SearchResult& result, float temperature, Rng& rng);

// For play: of the moves with at least a tenth of the most visits, the best lower confidence bound.
std::size_t safest_move(const SearchResult& result);

}  // namespace tabula
