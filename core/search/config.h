#pragma once

namespace tabula {

enum class Method { puct, gumbel };

// How one move is searched. Whole games add openings, temperature and resigning (game_config.h).
struct SearchConfig {
  Method method = Method::puct;
  int simulations = 200;

  float c_puct = 1.25f;
  float fpu_reduction = 0.25f;  // how far below its parent an unvisited move starts
  bool prove = true;            // back up proven wins, draws and losses
  bool look_ahead = true;       // with proofs: a move that wins at once saves asking about a leaf

  // PUCT at the root of an exploring search.
  float noise_fraction = 0.25f;  // of Dirichlet noise in the priors; 0: none
  float noise_alpha = 0;         // of each move; 0: 10 / legal moves
  float forced_playouts = 0;     // k in sqrt(k * prior * visits); 0: none. Pruned from the target.

  // Gumbel: sequential halving over the best `considered` moves at the root.
  int considered = 16;
  // Weights of values against priors. (The paper has c_scale 1; with rollouts that missed 9 of 50
  // wins in three plies at 4,000 simulations, and 0.1 none at 2,000.)
  float c_visit = 50, c_scale = 0.1f;

  int pending = 1;  // leaves of one tree that may await answers at once
};

}  // namespace tabula
