#include "core/base/memory.h"

#include <unistd.h>

#include <fstream>

namespace tabula {

double resident_megabytes() {
  std::ifstream file("/proc/self/statm");  // in pages: all, resident, ...
  double all = 0, resident = 0;
  return file >> all >> resident ? resident * double(sysconf(_SC_PAGESIZE)) / 1e6 : 0;
}

}  // namespace tabula
