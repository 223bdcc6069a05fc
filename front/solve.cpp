#include <algorithm>
#include <cstdlib>
#include <iomanip>
#include <iostream>

#include "core/base/nearest.h"
#include "front/commands.h"
#include "games/connect4/solver/solver.h"

namespace tabula {
namespace {

using connect4::Position;
using connect4::Solver;

Position read_position(std::string moves) {
  std::erase(moves, ' ');
  std::string error;
  const auto position = Position::parse(moves, &error);
  if (!position) throw Error(error);
  if (position->over()) throw Error("the game is over after " + moves + ": nothing to solve.");
  return *position;
}

// When, counted in the winner's stones from the start of the game.
std::string meaning(int score) {
  if (score == 0) return "a draw";
  const int stones = 22 - std::abs(score);
  return std::string(score > 0 ? "the mover wins" : "the mover loses") + " by the winner's stone " +
         std::to_string(stones);
}

void print_sign(Solver& solver, const Position& position) {
  static constexpr const char* kMeaning[] = {"the mover loses", "a draw", "the mover wins"};
  const int sign = solver.sign(position);
  std::cout << "sign " << sign << "  " << kMeaning[sign + 1] << "\n";
}

void print_scores(Solver& solver, const Position& position) {
  const int score = solver.score(position);
  std::cout << "score " << score << "  " << meaning(score) << std::endl;
  solver.move_scores(position, [](int column, int move_score) {
    std::cout << "  column " << column + 1 << std::setw(5) << move_score << std::endl;
  });
}

}  // namespace

int solve_command(const Args& args) {
  std::string game, moves;
  bool sign = false;
  Options options("tabula solve connect4 [MOVES] [--sign]",
                  "Solves a Connect Four position exactly: its score first, then each move's as it "
                  "comes. MOVES are\ncolumns from 1 to 7, such as 44455. A score is for the side "
                  "to move: above 0 it wins, and the\nmagnitude is 22 minus the stones the winner "
                  "has played when it wins. The empty board takes minutes.");
  options.argument("GAME", game).argument("MOVES", moves, true);
  options.flag("sign", sign, "only say who wins, which is mostly several times faster");
  if (!options.parse(args)) return 0;
  if (const std::string solved = "connect4"; game != solved)
    throw Error("there is no solver for '" + game + "', only for " + solved + "." +
                did_you_mean(game, {&solved, 1}));

  const Position position = read_position(moves);
  Solver solver;
  sign ? print_sign(solver, position) : print_scores(solver, position);
  return 0;
}

}  // namespace tabula
