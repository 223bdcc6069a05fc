#pragma once
#include <string>

#include "front/run/run_status.h"
#include "front/train_options.h"

namespace tabula {

// What a training ends with: how far it came, and the commands that go on with it, play against it
// and measure it. `run` is its folder, as one names it.
std::string train_summary(const TrainOptions& options, const std::string& run, double seconds,
                          const RunStatus& status);

}  // namespace tabula
