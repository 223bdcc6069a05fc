#include "bench/machine.h"

#include <algorithm>
#include <fstream>

#include "core/base/cores.h"

namespace tabula {

std::string machine_name() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  std::string model = "unknown processor";
  for (std::string line; std::getline(cpuinfo, line);)
    if (line.starts_with("model name")) {
      model = line.substr(line.find(':') + 2);
      break;
    }
  return model + ", " + std::to_string(usable_cores()) + " cores";
}

Spread spread_of(std::vector<double> values) {
  std::ranges::sort(values);
  const auto at = [&](double share) {
    return values[std::size_t(share * double(values.size() - 1))];
  };
  return {at(0.5), at(0.25), at(0.75)};
}

}  // namespace tabula
