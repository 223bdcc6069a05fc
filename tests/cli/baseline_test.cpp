// Binaries are built for x86-64-v2: they must run on the oldest such processor.
#include <doctest/doctest.h>

#include "tests/run.h"

using namespace tabula;

TEST_CASE("the programs start and play on a Nehalem") {
  if (std::string(TABULA_SANITIZE) != "") {
    MESSAGE("skipped: a sanitizer's memory layout does not fit into qemu-user");
    return;
  }
  const std::string tabula = "qemu-x86_64 -cpu Nehalem " TABULA_BUILD "/bin/tabula ";
  for (const char* arguments :
       {"games", "perft othello8 5", "check-game go5 --playouts 2", "solve connect4 4455661123",
        "bench selfplay --net 1x32 --games 2 --simulations 4 --repeats 1 --milliseconds 5"}) {
    const Ran ran = run(tabula + arguments);
    CAPTURE(std::string(arguments));
    CAPTURE(ran.output);
    CHECK(ran.status == 0);
  }
}

TEST_CASE("the emulator would notice a newer instruction") {
  if (std::string(TABULA_SANITIZE) != "") return;
  CHECK(run("qemu-x86_64 -cpu Nehalem " TABULA_BUILD "/bin/avx2_probe").status ==
        128 + 4);  // SIGILL
}
