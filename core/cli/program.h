// What all programs do alike.
#pragma once
#include <functional>
#include <thread>

#include "core/cli/options.h"

namespace tabula {

// main(): answers --version and probes, runs the program, and turns an Error into one line and exit
// code 1.
int run_program(const char* name, int argc, char** argv,
                const std::function<int(const Args&)>& program);

// SIGINT and SIGTERM ask to finish: the first calls `stop`, on a thread of its own; another, if it
// comes more than a second later, ends the process at once. Made before any other thread.
class StopSignals {
 public:
  explicit StopSignals(std::function<void()> stop);
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

 private:
  std::jthread thread_;
};

}  // namespace tabula
