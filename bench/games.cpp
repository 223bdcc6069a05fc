#include "bench/games.h"

#include <algorithm>
#include <chrono>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bench/direct.h"
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
  const auto began = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

struct Row {
  std::string game;
  Spread playouts, ratio;  // per second through the boundary; boundary time over direct time
  Spread by_move;          // the same ratio when every move is a call
  double plies = 0;        // per second through the boundary
};

// Enough games to fill the time; one side's warm-up is the other's too.
int games_for(const Rules& rules, int milliseconds) {
  for (int games = 1;; games *= 2) {
    const double took = seconds([&] { play_plugin(rules, kSeed, games); });
    if (took * 1000 > milliseconds / 4.0)
      return std::max(1, int(games * milliseconds / (took * 1000)));
  }
}

Row measure(const Rules& rules, const DirectGame& direct, const GamesBench& config) {
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
  const Spread rate = spread_of(playouts);
  return {rules.name(), rate, spread_of(ratios), spread_of(by_move),
          rate.median * double(through.plies) / games};
}

const DirectGame& direct_side(const Rules& rules) {
  for (const DirectGame& game : direct_games())
    if (game.name == rules.name()) return game;
  throw Error(rules.name() + " is not one of the shipped games: it cannot be called directly.");
}

void print(const Row& row) {
  std::cout << std::left << std::setw(15) << row.game << std::right << std::fixed
            << std::setprecision(0) << std::setw(12) << row.playouts.median << std::setw(14)
            << row.plies << std::setprecision(2) << std::setw(9) << row.ratio.median << "  ("
            << row.ratio.low << " to " << row.ratio.high << ")" << std::setw(9)
            << row.by_move.median << "  (" << row.by_move.low << " to " << row.by_move.high << ")"
            << std::endl;
}

nlohmann::ordered_json to_json(const Row& row) {
  return {{"game", row.game},
          {"playouts_per_second", row.playouts.median},
          {"plies_per_second", row.plies},
          {"ratio", row.ratio.median},
          {"ratio_quartiles", {row.ratio.low, row.ratio.high}},
          {"ratio_move_by_move", row.by_move.median}};
}

}  // namespace

void bench_games(const std::vector<RulesPtr>& games, const GamesBench& config) {
  for (const RulesPtr& rules : games) direct_side(*rules);  // complain before anything is printed
  if (!config.json)
    std::cout << "Random games through the plugin boundary, and the same games by direct calls.\n"
              << machine_name() << "; one thread, " << config.repeats << " alternations, "
              << config.milliseconds << " ms a side; median (quartiles)\n\n"
              << "game               games/s       plies/s    ratio                move by move\n";
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const RulesPtr& rules : games) {
    const Row row = measure(*rules, direct_side(*rules), config);
    if (config.json)
      rows.push_back(to_json(row));
    else
      print(row);
  }
  if (config.json)
    std::cout << nlohmann::ordered_json{{"bench", "games"},
                                        {"machine", machine_name()},
                                        {"threads", 1},
                                        {"repeats", config.repeats},
                                        {"milliseconds", config.milliseconds},
                                        {"rows", rows}}
                     .dump(2)
              << "\n";
}

}  // namespace tabula
