// How candidates are tested, as options and INI keys name it.
#pragma once
#include "core/arena/arena.h"
#include "core/cli/options.h"

namespace tabula {

struct ArenaSettings {
  ArenaConfig config{};
  std::string gate = "sprt";

  void declare(Options& options);
  void check();  // after parsing: throws Error
};

}  // namespace tabula
