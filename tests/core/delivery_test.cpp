// The delivery of games over a network that does what it likes. TABULA_SCHEDULES=1000000 makes it
// the long form.
#include <doctest/doctest.h>

#include <cstdlib>
#include <iostream>

#include "tests/delivery_world.h"
#include "tests/faults/suite.h"

using namespace tabula;

TEST_CASE("whatever the network and the crashes do, each game is stored once and none is lost") {
  const char* wanted = std::getenv("TABULA_SCHEDULES");
  const char* given = std::getenv("TABULA_SEED");
  const std::uint64_t schedules = wanted ? std::strtoull(wanted, nullptr, 10) : 20000;
  const std::uint64_t first = given ? std::strtoull(given, nullptr, 10) : 1;
  const Row row("simulated network", first);
  DeliveryFaults faults;
  std::size_t games = 0;
  for (std::uint64_t seed = first; seed < first + schedules; ++seed) {
    DeliveryWorld world(seed);
    const std::string wrong = world.run();
    INFO("TABULA_SEED=" << seed << " TABULA_SCHEDULES=1 repeats it");
    REQUIRE(wrong == "");
    faults.add(world.faults());
    games += world.games();
  }
  CHECK(faults.lost > 0);
  CHECK(faults.doubled > 0);
  CHECK(faults.late > 0);
  CHECK(faults.worker_crashes > 0);
  CHECK(faults.store_crashes > 0);
  CHECK(faults.told_nobody > 0);
  CHECK(faults.full > 0);
  CHECK(faults.resent > 0);
  std::cout << "schedules " << schedules << " from seed " << first << ", games " << games
            << "; messages lost " << faults.lost << ", doubled " << faults.doubled << ", reordered "
            << faults.late << ", games resent " << faults.resent << "; crashes of workers "
            << faults.worker_crashes << ", of the store " << faults.store_crashes
            << ", of which between commit and answer " << faults.told_nobody << "; full disks "
            << faults.full << "; lost 0, duplicated 0, altered 0, phantom 0\n";
  row.write(std::to_string(schedules) + " schedules; messages lost " + std::to_string(faults.lost) +
                ", doubled " + std::to_string(faults.doubled) + ", reordered " +
                std::to_string(faults.late) + "; crashes " +
                std::to_string(faults.worker_crashes + faults.store_crashes) + "; " +
                std::to_string(games) + " games",
            "lost 0, duplicated 0, altered 0, phantom 0");
}
