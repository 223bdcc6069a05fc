#pragma once
#include <functional>
#include <string>

#include "core/game/check/trace.h"

namespace tabula {

struct Outcome {
  int status = 0;
  std::string lost;  // not empty: the child crashed, hung or left without a word, and how
};

// Runs `work` in a forked child. Its output is the child's; an Error is printed there and becomes
// status 1. The child is killed when no traced call has come back for `patience` seconds.
// requires: this process has one thread
Outcome run_watched(const std::function<int(Trace&)>& work, int patience,
                    const std::function<void(const Trace&, double seconds)>& progress,
                    Trace* trace = nullptr);

}  // namespace tabula
