#pragma once
#include <string>

#include "front/run/run_status.h"

namespace tabula {

// The one thing that holds a run back, and what to do about it.
struct Diagnosis {
  bool healthy = true;
  std::string finding, remedy;
};

// `disk_free`: bytes where the database is; negative: not known.
Diagnosis diagnose(const RunStatus& status, double disk_free);

}  // namespace tabula
