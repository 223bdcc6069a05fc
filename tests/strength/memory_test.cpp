// Suite `loop`: what the programs of a training keep in memory over half an hour (TABULA_MINUTES).
#include <doctest/doctest.h>

#include <cstdlib>
#include <iostream>

#include "front/run/run_status.h"
#include "tests/program.h"
#include "tests/scratch.h"

using namespace tabula;

namespace {

std::map<std::string, double> memory_of(const RunStatus& status) {
  std::map<std::string, double> megabytes = {{"store", status.memory}};
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
    last = memory_of(watch.look(30'000));
    std::cout << i * minutes / 30 << " min:";
    for (const auto& [program, megabytes] : last)
      std::cout << " " << program << " " << int(megabytes) << " MB";
    std::cout << std::endl;
    if (i == 10) settled = last;
  }
  CHECK(train.end(SIGTERM) == 0);
  // The store's cache of pages may fill up to 64 MB, the trainer's window takes in new games.
  for (const auto& [program, megabytes] : last) {
    CAPTURE(program);
    CHECK(megabytes > 0);
    CHECK(megabytes <= 1.25 * settled[program] + 64);
  }
}
