#include <iostream>

#include "front/commands.h"

namespace tabula {

int train_command(const Args& args) {
  std::vector<std::string> rest;
  Options options("tabula train GAME", "Will learn a game by self-play; not there yet.");
  options.arguments("GAME", rest);
  if (!options.parse(args)) return 0;
  std::cerr << "tabula: training is not there yet: this version has games, their checker and a "
               "solver.\n";
  return 1;
}

}  // namespace tabula
