#pragma once
#include <filesystem>

namespace tabula {

// Processors that this process may keep busy, at least 1: those it may run on (taskset, cpusets,
// Slurm), and no more than its control group pays for (a container's limit, rounded up).
int usable_cores();

// What the group named in `membership` (as /proc/self/cgroup) and those above it pay for under
// `root` (as /sys/fs/cgroup), in processors; 0: no limit found.
double paid_cores(const std::filesystem::path& membership, const std::filesystem::path& root);

}  // namespace tabula
