#include "core/base/cores.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <thread>

namespace tabula {
namespace {

namespace fs = std::filesystem;

double number_in(const fs::path& file) {
  double number = 0;
  std::ifstream(file) >> number;
  return number;
}

// Version 2 has "QUOTA PERIOD" in cpu.max, version 1 a file for each; "max" and -1 mean no limit.
double limit_of(const fs::path& group) {
  double quota = 0, period = 0;
  if (!(std::ifstream(group / "cpu.max") >> quota >> period)) {
    quota = number_in(group / "cpu.cfs_quota_us");
    period = number_in(group / "cpu.cfs_period_us");
  }
  return quota > 0 && period > 0 ? quota / period : 0;
}

// The smallest limit from `group` up to `root`.
double limit_up_to(const fs::path& root, const fs::path& group) {
  double least = 0;
  for (fs::path here = group;; here = here.parent_path()) {
    if (const double limit = limit_of(root / here); limit > 0 && (least == 0 || limit < least))
      least = limit;
    if (here.empty()) return least;
  }
}

int allowed_cores() {
  cpu_set_t mine;
  if (sched_getaffinity(0, sizeof mine, &mine) == 0) return CPU_COUNT(&mine);
  return int(std::thread::hardware_concurrency());  // more than a cpu_set_t knows
}

}  // namespace

double paid_cores(const fs::path& membership, const fs::path& root) {
  std::ifstream in(membership);
  // "0::/path" in version 2, "N:cpu,cpuacct:/path" in version 1. Inside a container the path may be
  // one of the host's, which is not there: then its own group is the root.
  for (std::string line; std::getline(in, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const bool unified = controllers == ",,";
    if (!unified && controllers.find(",cpu,") == std::string::npos) continue;
    const fs::path top = unified ? root : root / controllers.substr(1, controllers.size() - 2);
    if (const double limit = limit_up_to(top, fs::path(line.substr(second + 1)).relative_path());
        limit > 0)
      return limit;
  }
  return 0;
}

int usable_cores() {
  const double paid = paid_cores("/proc/self/cgroup", "/sys/fs/cgroup");
  const int allowed = std::max(1, allowed_cores());
  return paid > 0 ? std::clamp(int(std::ceil(paid)), 1, allowed) : allowed;
}

}  // namespace tabula
