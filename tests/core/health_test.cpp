#include "core/base/health.h"

#include <doctest/doctest.h>

#include <fstream>

#include "core/base/clock.h"
#include "core/base/error.h"
#include "tests/run.h"
#include "tests/scratch.h"

using namespace tabula;

namespace {

Ran probe(const std::string& what, const std::string& file) {
  return run(TABULA_BUILD "/bin/replay probe " + what + " " + file);
}

}  // namespace

TEST_CASE("a probe finds what the program said last, and that it fell silent") {
  const Scratch scratch;
  const std::string file = scratch / "health";
  set_health_file(file);
  CHECK(health_in(file, clock_ms()).alive);
  CHECK(!health_in(file, clock_ms()).ready);
  say_health(false, "the store does not answer");
  CHECK(health_in(file, clock_ms()).why == "the store does not answer");
  CHECK(probe("alive", file).status == 0);
  CHECK(probe("ready", file).status == 1);
  CHECK(probe("ready", file).output == "not ready: the store does not answer\n");
  say_health(true);
  CHECK(health_in(file, clock_ms()).ready);
  CHECK(probe("ready", file).status == 0);
  CHECK(run("TABULA_HEALTH=" + file + " " TABULA_BUILD "/bin/replay probe ready").status == 0);
  CHECK(!health_in(file, clock_ms() + 61'000).alive);
  CHECK(!health_in(file, clock_ms() + 61'000).ready);
  std::ofstream(file) << "what?";
  CHECK(probe("alive", file).output == "not alive: the file makes no sense\n");
  set_health_file("");
  say_health(false);  // nobody asks
  CHECK(health_in(file, clock_ms()).why == "the file makes no sense");
}

TEST_CASE("probes and files that cannot be are refused with a sentence") {
  const Scratch scratch;
  CHECK_THROWS_AS(set_health_file(scratch / "none/health"), Error);
  set_health_file("");
  CHECK(probe("alive", scratch / "none").status == 1);
  const Ran ran = run(TABULA_BUILD "/bin/selfplay probe");
  CHECK(ran.status == 1);
  CHECK(contains(ran.output, "'probe ready FILE'"));
}
