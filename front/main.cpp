#include <algorithm>
#include <iostream>

#include "core/base/nearest.h"
#include "core/cli/program.h"
#include "front/commands.h"

namespace {
using namespace tabula;

struct Command {
  const char* name;
  int (*run)(const Args&);
  const char* summary;
};

constexpr Command kCommands[] = {
    {"train", train_command, "learn a game by self-play"},
    {"eval", eval_command, "measure a network against the truth"},
    {"play", play_command, "play against what was learnt"},
    {"status", status_command, "show the state of a training"},
    {"doctor", doctor_command, "say what holds a training back, and what helps"},
    {"report", report_command, "figures, plots and statistics of trainings"},
    {"games", games_command, "list the games that can be played"},
    {"check-game", check_game_command, "prove that a game keeps the contract"},
    {"new-game", new_game_command, "write a small plugin project to start from"},
    {"fetch", fetch_command, "bring games, models and curves of a store home"},
    {"image", image_command, "write a Containerfile that adds a plugin to the images"},
    {"keys", keys_command, "make the keys that a store lets clients in by"},
    {"perft", perft_command, "count move sequences"},
    {"solve", solve_command, "solve a Connect Four position exactly"},
    {"db", db_command, "look after a database of games"},
    {"bench", bench_command, "measure speed on this machine"},
};

void print_help() {
  std::cout << "Tabula learns any two-player game from its rules, by playing itself.\n\n"
               "usage: tabula COMMAND ...\n\n";
  for (const Command& command : kCommands)
    std::cout << "  " << command.name << std::string(12 - std::string(command.name).size(), ' ')
              << command.summary << "\n";
  std::cout << "\n'tabula COMMAND --help' tells more; 'tabula --version' names this one.\n";
}

int run(const Args& args) {
  if (args.empty() || args[0] == "--help" || args[0] == "-h") return print_help(), 0;
  if (args[0] == "help") {
    if (args.size() == 1) return print_help(), 0;
    Args asked(args.begin() + 1, args.end());  // "help perft" is "perft --help"
    asked.push_back("--help");
    return run(asked);
  }
  const auto found = std::ranges::find_if(
      kCommands, [&](const Command& command) { return command.name == args[0]; });
  if (found != std::end(kCommands)) return found->run({args.begin() + 1, args.end()});
  std::vector<std::string> names;
  for (const Command& command : kCommands) names.emplace_back(command.name);
  throw Error("there is no command '" + args[0] + "'." + did_you_mean(args[0], names) +
              " 'tabula help' lists them.");
}

}  // namespace

int main(int argc, char** argv) { return tabula::run_program("tabula", argc, argv, run); }
