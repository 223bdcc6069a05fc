#include "bench/games.h"

#include <algorithm>

#include "bench/alternation.h"
#include "bench/direct.h"
#include "bench/report.h"
#include "core/game/playout.h"

namespace tabula {
namespace {

constexpr std::uint64_t kSeed = 1;

// Whole games in one call each, as rollouts do, or move by move.
PlayedGames play_plugin(const Rules& rules, std::uint64_t seed, int games, bool by_move = false) {
  Rng rng(seed);
  Playout playout(rules);
  const State start(rules);
  State state = start;
  PlayedGames played;
  while (games-- > 0) {
    state = start;
    if (by_move) playout.finish_by_move(state, rng);
    played.results += playout.finish(state, rng);
    played.plies += state.ply();
  }
  return played;
}

template <class F>
double seconds(F work) {
  const double began = wall_seconds();
  work();
  return wall_seconds() - began;
}

// Enough games to fill the time; one side's warm-up is the other's too.
int games_for(const Rules& rules, int milliseconds) {
  for (int games = 1;; games *= 2) {
    const double took = seconds([&] { play_plugin(rules, kSeed, games); });
    if (took * 1000 > milliseconds / 4.0)
      return std::max(1, int(games * milliseconds / (took * 1000)));
  }
}

void measure(const Rules& rules, const DirectGame& direct, const GamesBench& config,
             Report& report) {
  const int games = games_for(rules, config.milliseconds);
  std::vector<double> playouts, ratios, by_move;
  PlayedGames through, stepwise, by_hand;
  double times[3] = {};  // direct, whole games, move by move
  for (int i = 0; i < config.repeats; ++i) {
    for (int k = 0; k < 3; ++k) {
      const int side = (i + k) % 3;
      times[side] = seconds([&] {
        if (side == 0) by_hand = direct.play(kSeed, games);
        if (side == 1) through = play_plugin(rules, kSeed, games);
        if (side == 2) stepwise = play_plugin(rules, kSeed, games, true);
      });
    }
    if (!(through == by_hand) || !(stepwise == by_hand))
      throw Error(rules.name() + " plays other games as a plugin than directly: rebuild both.");
    playouts.push_back(games / times[1]);
    ratios.push_back(times[1] / times[0]);
    by_move.push_back(times[2] / times[0]);
  }
  const double rate = spread_of(playouts).median;
  // Boundary time over direct time, a game a call and a move a call.
  report.row({rules.name(), rate, rate * double(through.plies) / games, spread_of(ratios),
              spread_of(by_move)});
}

const DirectGame& direct_side(const Rules& rules) {
  for (const DirectGame& game : direct_games())
    if (game.name == rules.name()) return game;
  throw Error(rules.name() + " is not one of the shipped games: it cannot be called directly.");
}

ReportHead head_of(const GamesBench& config) {
  return {.bench = "games",
          .what = "Random games through the plugin boundary, and the same games by direct calls.",
          .how = "one thread, " + std::to_string(config.repeats) + " alternations, " +
                 std::to_string(config.milliseconds) + " ms a side",
          .setting = {{"threads", 1},
                      {"repeats", config.repeats},
                      {"milliseconds", config.milliseconds}},
          .columns = {{"game", "game", -13},
                      {"games/s", "playouts_per_second", 9},
                      {"plies/s", "plies_per_second", 11},
                      {"ratio", "ratio", 20, 2},
                      {"move by move", "ratio_move_by_move", 20, 2}}};
}

}  // namespace

void bench_games(const std::vector<RulesPtr>& games, const GamesBench& config) {
  for (const RulesPtr& rules : games) direct_side(*rules);  // complain before anything is printed
  Report report(head_of(config), config.json);
  for (const RulesPtr& rules : games) measure(*rules, direct_side(*rules), config, report);
  report.finish();
}

}  // namespace tabula
