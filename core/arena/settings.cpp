#include "core/arena/settings.h"

namespace tabula {

void ArenaSettings::declare(Options& options) {
  options.add("gate", gate, "sprt: candidates must be found better; none: promote all")
      .add("arena-simulations", config.simulations, "a move of a test")
      .add("arena-opening-plies", config.opening_plies,
           "random plies before each pair; -1: as few as give each pair its own opening")
      .add("arena-pairs", config.most_pairs, "at most, in one test")
      .add("rating-pairs", config.rating_pairs, "with --gate none: in each match for the rating")
      .add("elo0", config.sprt.elo0, "a candidate this much stronger is not better")
      .add("elo1", config.sprt.elo1, "a candidate this much stronger is better")
      .add("alpha", config.sprt.alpha, "the chance to promote one at elo0")
      .add("beta", config.sprt.beta, "the chance to miss one at elo1");
}

void ArenaSettings::check() {
  if (gate != "sprt" && gate != "none")
    throw Error("'" + gate + "' is no gate; there are sprt and none.");
  config.gated = gate == "sprt";
  config.check();
}

}  // namespace tabula
