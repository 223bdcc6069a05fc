#pragma once
#include <atomic>
#include <string>

#include "trainer/config.h"

namespace tabula {

// A trainer after the first one: follows the games, brings its part of every batch, and leaves
// checkpoints and models to the first one, whom it waits for.
void step_with_others(const TrainerOptions& options, const Rules& rules, const std::string& address,
                      const std::atomic<bool>& stopped);

}  // namespace tabula
