#pragma once
#include <iomanip>
#include <sstream>

#include "core/base/error.h"

namespace tabula {

// Throws Error, naming the option, unless the value is within the range.
inline void check_range(const char* name, double value, double least, double most) {
  if (value >= least && value <= most) return;
  std::ostringstream text;
  text << std::setprecision(12) << "--" << name << " takes " << least << " to " << most << ", not "
       << value << ".";
  throw Error(text.str());
}

}  // namespace tabula
