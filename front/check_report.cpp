#include "front/check_report.h"

#include <cmath>
#include <iomanip>
#include <ostream>
#include <sstream>

#include "core/game/state.h"

namespace tabula {
namespace {

std::string numbers(std::span<const Action> actions) {
  std::string text;
  for (Action a : actions) text += (text.empty() ? "" : " ") + std::to_string(a);
  return text;
}

struct Replay {
  std::string names, board, stopped;  // `stopped`: why it could not be replayed to the end
};

Replay replay(const Rules& rules, std::span<const Action> moves) {
  Replay shown;
  try {
    State state(rules);
    for (Action a : moves) {
      shown.names += (shown.names.empty() ? "" : " ") + state.text(a);
      shown.board = state.board();
      state.apply(a);
    }
    shown.board = state.board();
  } catch (const Error& e) {
    shown.stopped = e.what();
  }
  return shown;
}

void print_lines(std::ostream& out, const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) out << "    " << line << "\n";
}

void print_outline(std::ostream& out, const Breach& breach, const Replay& replay) {
  out << "BREACH: " << breach.law << "\n  moves     ";
  if (breach.moves.empty())
    out << "none: the start\n";
  else
    out << (replay.names.empty() ? "" : replay.names + "  ") << "(actions " << numbers(breach.moves)
        << ")\n";
  if (!replay.board.empty()) {
    out << (replay.stopped.empty() ? "  board\n" : "  board before the last move\n");
    print_lines(out, replay.board);
  }
  out << "  expected  " << breach.expected << "\n  came      " << breach.came << "\n\n"
      << std::flush;
}

std::string grouped(double value) {  // 1,234,567
  std::string digits = std::to_string(std::lround(value));
  for (auto i = std::ptrdiff_t(digits.size()) - 3; i > 0; i -= 3)
    digits.insert(std::size_t(i), ",");
  return digits;
}

}  // namespace

void print_breach(std::ostream& out, const Rules& rules, const Breach& breach) {
  print_outline(out, breach, replay(rules, breach.moves));
}

void print_bare_breach(std::ostream& out, const Breach& breach) { print_outline(out, breach, {}); }

void print_facts(std::ostream& out, const Rules& rules, const GameFacts& facts) {
  const tabula_game& t = rules.table();
  const auto [played, encoded] = rules.fingerprints();
  out << std::fixed << std::setprecision(1)                                                   //
      << "  plugin        " << rules.origin().string() << "\n"                                //
      << "  actions       " << t.actions << ", planes " << t.planes << "x" << t.rows << "x"   //
      << t.cols << ", state " << t.state_size << " bytes\n"                                   //
      << "  symmetries    " << rules.symmetries() << " (" << group_of(rules.symmetry()).name  //
      << "), chance outcomes " << t.outcomes << "\n"                                          //
      << "  speed         " << grouped(facts.playouts_per_second) << " random games/s, "      //
      << grouped(facts.plies_per_second) << " plies/s\n"                                      //
      << "  branching     " << facts.mean_branching << " mean, " << facts.max_branching       //
      << " most\n"                                                                            //
      << "  length        " << facts.mean_length << " plies mean, " << facts.min_length
      << " to "                                                                              //
      << facts.max_length << "; max_plies " << t.max_plies << "\n"                           //
      << "  first player  " << 100 * facts.first_player << " % wins, " << 100 * facts.draws  //
      << " % draws under random play (" << grouped(facts.games) << " games)\n"               //
      << std::hex << std::setfill('0') << "  fingerprints  rules " << std::setw(16) << played
      << ", encoding " << std::setw(16) << encoded << "\n";
}

}  // namespace tabula
