#pragma once
#include "core/search/config.h"

namespace tabula {

// Plies are the engine's: moves and dice alike (core/game/state.h).

// How boldly moves are drawn from a search's visits; 0 plays the best. PUCT only: Gumbel's own
// noise has drawn its move already.
struct Temperature {
  float start = 1;
  int plies = 15;       // it holds for so many
  float half_life = 0;  // then the distance to `end` halves in so many; 0: it drops there at once
  float end = 0;
};

float temperature_at(const Temperature& temperature, int ply);

// Random moves before the first search, so that games differ. None of them ends the game.
struct Opening {
  int plies = 0;
  bool exact = false;  // else as many as the game's seed draws, 0 to `plies`
};

struct Resign {
  float loss = 0;        // a player gives up at this chance of losing; 0: never
  int moves = 3;         // of its own in a row, all of which look so bad
  float play_on = 0.1f;  // share of games in which nobody may, to see how often it would be wrong
};

// How one game of self-play goes.
struct GameConfig {
  SearchConfig search{};  // a full one

  // Playout caps (Wu, 2019, section 3.1): a move is searched fully with this chance. The other
  // searches are cheap and do not explore; they move the game on and are no example of a policy.
  float full_share = 1;
  int cheap_simulations = 40;  // at least 1

  Temperature temperature{};
  Opening opening{};
  Resign resign{};
  bool reuse_tree = false;  // PUCT keeps what it knows below a move, if no dice follow
};

}  // namespace tabula
