#include <iostream>

#include "front/commands.h"

namespace tabula {

int train_command(const Args&) {
  std::cerr << "tabula: training is not there yet: this version has games, their checker and a "
               "solver.\n";
  return 1;
}

}  // namespace tabula
