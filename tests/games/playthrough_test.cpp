// One game of every kind as readable text, to be looked at when it changes:
// TABULA_GOLDEN=update writes the files anew.
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "tests/support.h"

using namespace tabula;

namespace {

std::string cell_value(float x) {
  if (x == 0) return " .";
  if (x == 1) return " 1";
  std::ostringstream text;
  text.precision(3);
  text << ' ' << x;
  return text.str();
}

void print_planes(std::ostream& out, const State& state) {
  const tabula_game& t = state.rules().table();
  std::vector<float> planes(std::size_t(state.rules().plane_floats()));
  state.encode(planes);
  for (int plane = 0; plane < t.planes; ++plane) {
    out << "  plane " << plane << (t.rows > 1 ? "\n" : "");
    for (int row = 0; row < t.rows; ++row) {
      out << (t.rows > 1 ? "   " : "");
      for (int col = 0; col < t.cols; ++col)
        out << cell_value(planes[std::size_t((plane * t.rows + row) * t.cols + col)]);
      out << "\n";
    }
  }
}

// Boards are shown at the start, after 20 plies, after 40 and so on, and at the end.
std::string playthrough(const Rules& rules) {
  std::ostringstream out;
  const auto [played, encoded] = rules.fingerprints();
  out << rules.name() << ", rules " << std::hex << played << ", encoding " << encoded << std::dec
      << "\n";
  Rng rng(2);
  Playout playout(rules);
  State state(rules);
  bool planes_shown = false;
  while (!state.over()) {
    if (state.ply() % 20 == 0) out << "\n" << state.board();
    if (state.ply() >= 5 && !state.at_chance() && !planes_shown) {
      out << "as the mover sees it:\n";
      print_planes(out, state);
      planes_shown = true;
    }
    const std::string who = state.at_chance() ? "chance" : "player " + std::to_string(state.turn());
    const std::size_t choices = playout.legal(state).size();
    const std::string legal =
        choices <= 40 ? legal_text(state) : std::to_string(choices) + " moves";
    const Action action = playout.draw(state, rng);
    out << state.ply() << ". " << who << ": " << state.text(action) << "  of " << legal << "\n";
    state.apply(action);
  }
  out << "\n"
      << state.board() << "result " << state.result() << " after " << state.ply() << " plies\n";
  return out.str();
}

}  // namespace

TEST_CASE("one game of every kind reads as it did") {
  const char* update = std::getenv("TABULA_GOLDEN");
  for (const char* game : {"tictactoe", "connect4", "othello6", "othello8", "gomoku15", "hex7",
                           "hex11", "breakthrough8", "go5", "go9", "pig100", "einstein"}) {
    const std::string path = std::string(TABULA_SOURCE "/tests/golden/") + game + ".txt";
    const std::string text = playthrough(shipped(game));
    if (update && std::string(update) == "update") std::ofstream(path) << text;
    std::ifstream file(path);
    const std::string golden{std::istreambuf_iterator<char>(file), {}};
    INFO(path << " differs; if that is meant, run with TABULA_GOLDEN=update and read the diff");
    CHECK((text == golden));
  }
}
