#include "core/loop/play_settings.h"

#include <sstream>

#include "core/loop/check_range.h"

namespace tabula {
namespace {

constexpr int kGamesForCpu = 16, kGamesForTorch = 256;  // a GPU wants large batches

}  // namespace

void PlaySettings::declare(Options& options) {
  SearchConfig& search = game.search;
  options.add("method", method, "of the search: puct or gumbel")
      .add("simulations", search.simulations, "of a full search")
      .add("cheap-simulations", game.cheap_simulations, "of the others: see --full-share")
      .add("full-share", game.full_share, "of moves searched fully; only they teach a policy")
      .add("c-puct", search.c_puct, "how much priors and curiosity weigh")
      .add("fpu-reduction", search.fpu_reduction, "how far below its parent a new move starts")
      .add("prove", search.prove, "whether proven wins and losses are backed up")
      .add("look-ahead", search.look_ahead, "whether a leaf's moves are tried for one that wins")
      .add("noise", search.noise_fraction, "of Dirichlet noise at the root of a full search")
      .add("noise-alpha", search.noise_alpha, "of each move; 0: 10 / legal moves")
      .add("forced-playouts", search.forced_playouts, "k of forced playouts; 0: none")
      .add("considered", search.considered, "moves at Gumbel's root")
      .add("c-visit", search.c_visit, "Gumbel's weight of values against priors")
      .add("c-scale", search.c_scale, "its scale")
      .add("temperature", game.temperature.start, "of the first moves")
      .add("temperature-plies", game.temperature.plies, "for so many plies")
      .add("temperature-half-life", game.temperature.half_life, "then it falls: half in so many")
      .add("temperature-end", game.temperature.end, "towards this")
      .add("opening-plies", game.opening.plies, "random plies before the first search, at most")
      .add("opening-exact", game.opening.exact, "exactly so many, not 0 to so many")
      .add("resign", game.resign.loss, "give up at this chance of losing; 0: never")
      .add("resign-moves", game.resign.moves, "of one player in a row that look so bad")
      .add("resign-play-on", game.resign.play_on, "share of games in which nobody may")
      .add("reuse-tree", game.reuse_tree, "keep what is known below the move (puct)")
      .add("symmetry", symmetry, "judge positions through a symmetry drawn at random")
      .add("games-per-thread", games_per_thread, "at once; 0: by the engine")
      .add("cache", cache_megabytes, "megabytes of answers kept by each thread")
      .add("rollouts", rollouts, "playouts of a position while there is no network")
      .add("rollout-positions", rollout_positions,
           "of all workers; then they wait for the first network; 0: no limit")
      .add("engine", engine.engine, "auto, cpu or torch")
      .add("kernel", engine.kernel, "of the cpu engine: auto, fp32, winograd, bf16, bf16-plain")
      .add("device", engine.device, "of the torch engine: auto, cpu, cuda:N")
      .add("in-flight", engine.in_flight, "batches of the torch engine that are out at once");
}

void PlaySettings::check() {
  if (method != "puct" && method != "gumbel")
    throw Error("--method takes puct or gumbel, not '" + method + "'.");
  game.search.method = method == "puct" ? Method::puct : Method::gumbel;
  check_range("simulations", game.search.simulations, 1, 1e6);
  check_range("cheap-simulations", game.cheap_simulations, 1, 1e6);
  check_range("full-share", game.full_share, 0, 1);
  check_range("c-puct", game.search.c_puct, 0, 100);
  check_range("fpu-reduction", game.search.fpu_reduction, -2, 2);
  check_range("c-visit", game.search.c_visit, 0, 1e6);
  check_range("c-scale", game.search.c_scale, 0, 1000);
  check_range("noise", game.search.noise_fraction, 0, 1);
  check_range("noise-alpha", game.search.noise_alpha, 0, 1000);
  check_range("forced-playouts", game.search.forced_playouts, 0, 100);
  check_range("considered", game.search.considered, 1, 1e6);
  check_range("temperature", game.temperature.start, 0, 100);
  check_range("temperature-plies", game.temperature.plies, 0, 1e6);
  check_range("temperature-half-life", game.temperature.half_life, 0, 1e6);
  check_range("temperature-end", game.temperature.end, 0, 100);
  check_range("opening-plies", game.opening.plies, 0, 1e6);
  check_range("resign", game.resign.loss, 0, 1);
  check_range("resign-moves", game.resign.moves, 1, 1e6);
  check_range("resign-play-on", game.resign.play_on, 0, 1);
  check_range("in-flight", engine.in_flight, 1, 16);
  check_range("games-per-thread", games_per_thread, 0, 16384);
  if (games_per_thread == 0) games_per_thread = takes_torch(engine) ? kGamesForTorch : kGamesForCpu;
  check_range("cache", cache_megabytes, 0, 1e6);
  check_range("rollouts", rollouts, 1, 1e6);
}

std::string PlaySettings::text() const {
  const SearchConfig& search = game.search;
  std::ostringstream text;
  text << method << " simulations=" << search.simulations << "/" << game.cheap_simulations
       << " full=" << game.full_share;
  if (search.method == Method::puct)
    text << " c_puct=" << search.c_puct << " noise=" << search.noise_fraction
         << " forced=" << search.forced_playouts << " temperature=" << game.temperature.start << "/"
         << game.temperature.plies;
  else
    text << " considered=" << search.considered;
  text << " opening=" << game.opening.plies;
  return text.str();
}

}  // namespace tabula
