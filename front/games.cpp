#include <iomanip>
#include <iostream>

#include "core/game/registry.h"
#include "front/commands.h"
#include "front/plugins.h"

namespace tabula {
namespace {

std::string numbers(std::initializer_list<int> values) {
  std::string text;
  for (int value : values) text += (text.empty() ? "" : "x") + std::to_string(value);
  return text;
}

void print_row(std::initializer_list<std::string> columns) {
  static constexpr int kWidths[] = {14, 9, 11, 15, 9, 7};
  const int* width = kWidths;
  for (const std::string& column : columns)
    std::cout << std::left << std::setw(width < std::end(kWidths) ? *width++ : 0) << column;
  std::cout << "\n";
}

}  // namespace

int games_command(const Args& args) {
  Plugins plugins;
  Options options("tabula games [--plugins DIR]",
                  "Lists the games that are found, and the plugins that cannot be used.");
  plugins.declare(options);
  if (!options.parse(args)) return 0;

  Registry registry = plugins.registry();
  const auto& [games, refusals] = registry.list();
  print_row({"game", "actions", "planes", "symmetries", "chance", "plies", "from"});
  for (const RulesPtr& game : games) {
    const tabula_game& t = game->table();
    print_row({game->name(), std::to_string(t.actions), numbers({t.planes, t.rows, t.cols}),
               std::to_string(game->symmetries()) + " " + group_of(game->symmetry()).name,
               t.outcomes ? std::to_string(t.outcomes) : "-", std::to_string(t.max_plies),
               game->origin().string()});
  }
  for (const std::string& refusal : refusals) std::cout << "not used: " << refusal << "\n";
  return 0;
}

}  // namespace tabula
