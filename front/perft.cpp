#include "core/game/perft.h"

#include <chrono>
#include <iomanip>
#include <iostream>

#include "core/game/playout.h"
#include "front/commands.h"
#include "front/plugins.h"

namespace tabula {
namespace {

constexpr int kDeepest = 200, kWidth = 21;  // a count has up to 20 digits

int parse_depth(const std::string& text) {
  std::size_t read = 0;
  int depth = -1;
  try {
    depth = std::stoi(text, &read);
  } catch (const std::exception&) {}
  if (read != text.size() || depth < 0 || depth > kDeepest)
    throw Error("DEPTH must be a number from 0 to " + std::to_string(kDeepest) + ", not '" + text +
                "'.");
  return depth;
}

}  // namespace

int perft_command(const Args& args) {
  Plugins plugins;
  std::string game, depth_text, moves;
  bool games = false;
  Options options("tabula perft GAME DEPTH [--games] [--moves \"MOVES\"]",
                  "Counts move sequences of exactly DEPTH plies, for every depth up to it. A pass "
                  "and a roll\nof the dice are plies.");
  options.argument("GAME", game).argument("DEPTH", depth_text);
  options.flag("games", games, "also count the games that ended earlier");
  options.add("moves", moves, "play these moves first");
  plugins.declare(options);
  if (!options.parse(args)) return 0;

  const int deepest = parse_depth(depth_text);
  Registry registry = plugins.registry();
  const RulesPtr rules = registry.find(game);
  const State root = play_moves(*rules, moves);
  std::cout << "depth" << std::setw(kWidth) << "sequences";
  if (games) std::cout << std::setw(kWidth) << "ended earlier" << std::setw(kWidth) << "together";
  std::cout << "   seconds\n";
  for (int depth = std::min(1, deepest); depth <= deepest; ++depth) {
    const auto began = std::chrono::steady_clock::now();
    const Perft count = perft(root, depth);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    std::cout << std::setw(5) << depth << std::setw(kWidth) << count.sequences;
    if (games)
      std::cout << std::setw(kWidth) << count.ended << std::setw(kWidth)
                << count.sequences + count.ended;
    std::cout << std::setw(10) << std::fixed << std::setprecision(3) << took.count() << std::endl;
  }
  return 0;
}

}  // namespace tabula
