// How many processors a program takes for its own.
#include "core/base/cores.h"

#include <doctest/doctest.h>
#include <sched.h>

#include <fstream>
#include <thread>

#include "tests/scratch.h"

using namespace tabula;
namespace fs = std::filesystem;

namespace {

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

}  // namespace

TEST_CASE("a process that may run on one processor does not plan for others") {
  int inside = 0;
  std::thread([&] {  // its own affinity, not the tests'
    cpu_set_t before, one;
    REQUIRE(sched_getaffinity(0, sizeof before, &before) == 0);
    int first = 0;
    while (!CPU_ISSET(first, &before)) ++first;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
    inside = usable_cores();
  })
      .join();
  CHECK(inside == 1);
  CHECK(usable_cores() >= 1);
}

TEST_CASE("a control group's limit counts, its own or one above it, in both versions") {
  const Scratch folder;
  const fs::path group = folder / "cgroup", root = folder / "fs";
  write(group, "0::/pods/one/main\n");
  CHECK(paid_cores(group, root) == 0);  // nothing is there
  write(root / "pods/one/main/cpu.max", "max 100000\n");
  CHECK(paid_cores(group, root) == 0);
  write(root / "pods/one/cpu.max", "150000 100000\n");
  write(root / "pods/cpu.max", "800000 100000\n");
  CHECK(paid_cores(group, root) == 1.5);

  // A container that sees the host's name of its group, but only its own files.
  write(group, "12:memory:/elsewhere\n4:cpu,cpuacct:/host/name/of/it\n0::/\n");
  write(root / "cpu,cpuacct/cpu.cfs_quota_us", "400000\n");
  write(root / "cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  CHECK(paid_cores(group, root) == 4);
  write(root / "cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  CHECK(paid_cores(group, root) == 0);
  CHECK(paid_cores(folder / "no such file", root) == 0);
}
