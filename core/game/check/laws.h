// The contract, law by law. Each throws Breach where a game does not keep it.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/base/rng.h"
#include "core/game/check/specimen.h"

namespace tabula {

// What the game answered at a position: turn, legal moves, odds, planes.
std::uint64_t behaviour(Specimen& position);

// Who moves; at the start, that somebody does.
void check_turn(Specimen& position);

// Everything that one position must keep by itself. requires: not over
void check_position(Specimen& position);

// Results and final planes. requires: the game says it is over, or it is cut at max_plies
void check_end(Specimen& position);
int result_of(Specimen& position);

// Equal bytes behave equally: at another address, and wherever play meets the same key() again.
class IdentityLaw {
 public:
  void check(Specimen& position);
  void check_move(const Specimen& before, Action action, Specimen& after);

 private:
  std::unordered_map<std::uint64_t, std::uint64_t> behaviour_of_;  // by hash of the key
};

// Random play in one call comes to the same as move by move.
void check_play_out(const Rules& rules, Trace& trace, std::uint64_t seed);

// `image` is `position` with every move so far replaced by its image.
void check_symmetry(Specimen& position, Specimen& image, int symmetry);
Action image_of(const Rules& rules, int symmetry, Action action, bool at_chance);

// A game already played, with what it answered at each ply.
struct Recording {
  std::vector<Action> moves;
  std::vector<std::uint64_t> behaviour;  // before each move
  int result = 0;
};

// Replays games in turn with others, then in several threads at once: the answers must not change.
void check_interleaved(const Rules& rules, Trace& trace, const Recording& game,
                       const Recording& other);
void check_threads(const Rules& rules, Trace& trace, const std::vector<Recording>& games,
                   int threads);

}  // namespace tabula
