#pragma once
#include <string>

#include "core/nn/net.h"

namespace tabula {

struct NamedNet {
  std::string name;  // "champion 0123456789ab", or the file
  Net net;
};

// A network by the name that a user gives it: a file, or, of the run in a folder (whose database is
// games.db), `champion`, `latest`, or the beginning of a model's id. Throws Error if there is none,
// or if it was made for another game.
NamedNet find_net(const std::string& model, const std::string& run, const Rules& rules);

}  // namespace tabula
