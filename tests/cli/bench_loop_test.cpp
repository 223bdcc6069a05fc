// That the loop can be measured; the figures mean something on an idle machine only.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/nn/torch_library.h"
#include "tests/run.h"
#include "tests/scratch.h"

using namespace tabula;

TEST_CASE("'tabula bench loop' measures a whole training") {
  if (!torch_installed()) {
    MESSAGE("skipped: this build has no LibTorch");
    return;
  }
  const Scratch folder;
  const Ran ran = run(TABULA_BUILD
                      "/bin/tabula bench loop --game tictactoe --repeats 1 --seconds 7 "
                      "--workers 1 --json --folder " +
                      folder.path() + " 2>/dev/null");
  REQUIRE_MESSAGE(ran.status == 0, ran.output);
  const auto row = nlohmann::json::parse(ran.output).at("rows").at(0);
  for (const char* figure : {"alone_simulations_per_cpu_second", "loop_simulations_per_cpu_second",
                             "share", "model_seconds", "trainer_outside"})
    CHECK(row.at(figure).get<double>() > 0);
  CHECK(row.at("trainer_outside").get<double>() < 1);
}
