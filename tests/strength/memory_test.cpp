// Suite `loop`: what the programs of a training keep in memory over half an hour (TABULA_MINUTES).
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <iostream>

#include "front/run/run_status.h"
#include "tests/program.h"
#include "tests/scratch.h"

using namespace tabula;

namespace {

// Of the one that watches over the others.
double megabytes_of(pid_t process) {
  std::ifstream in("/proc/" + std::to_string(process) + "/statm");
  double all = 0, resident = 0;
  in >> all >> resident;
  return resident * double(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

std::map<std::string, double> memory_of(const RunStatus& status, pid_t watcher) {
  std::map<std::string, double> megabytes = {{"store", status.memory},
                                             {"tabula train", megabytes_of(watcher)}};
  for (const char* program : {"trainer", "arena", "selfplay"})
    megabytes[program] = status.sum(program, "memory");
  return megabytes;
}

}  // namespace

TEST_CASE("memory of a training stays flat") {
  const char* given = std::getenv("TABULA_MINUTES");
  const double minutes = given ? std::atof(given) : 30;
  const Scratch folder;
  Program train("tabula", {"train", "connect4", "--run", "r"}, folder.path(), "log");
  REQUIRE(eventually([&] { return served(folder / "r/games.db"); }));
  RunWatch watch(owner_of(folder / "r/games.db")->address, std::nullopt);
  // A third of the time for caches and the window to fill; then what grows, grows without end.
  std::map<std::string, double> settled, last;
  for (int i = 1; i <= 30; ++i) {
    std::this_thread::sleep_for(std::chrono::duration<double>(2 * minutes));
    last = memory_of(watch.look(30'000), train.process());
    std::cout << i * minutes / 30 << " min:";
    for (const auto& [program, megabytes] : last)
      std::cout << " " << program << " " << int(megabytes) << " MB";
    std::cout << std::endl;
    if (i == 10) settled = last;
  }
  CHECK(train.end(SIGTERM) == 0);
  // The store's cache of pages may fill up to 64 MB, the trainer's window takes in new games.
  const double slack = 0.15;
  for (const auto& [program, megabytes] : last) {
    CAPTURE(program);
    CHECK(megabytes > 0);
    CHECK(megabytes <= (1 + slack) * settled[program] + (program == "store" ? 64 : 10));
  }
}
