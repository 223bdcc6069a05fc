// The script ./tabula, in a folder that holds nothing else.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "tests/run.h"
#include "tests/scratch.h"

using namespace tabula;
namespace fs = std::filesystem;

TEST_CASE("the bootstrap script gives help at once, with nothing installed or built") {
  const Scratch scratch;
  fs::copy(TABULA_SOURCE "/tabula", scratch / "tabula");
  for (const char* words : {"", " help", " -h", " --help", " --no-install --help"}) {
    const Ran ran = run(scratch / "tabula" + words);
    CAPTURE(words);
    CAPTURE(ran.output);
    CHECK(ran.status == 0);
    CHECK(ran.output.starts_with("Tabula from nothing"));
    CHECK(contains(ran.output, "./tabula test [SUITE]"));
    CHECK(!fs::exists(scratch / "build"));
  }
}

TEST_CASE("the bootstrap script adds the program's help where there is a program that runs") {
  const Scratch scratch;
  fs::copy(TABULA_SOURCE "/tabula", scratch / "tabula");
  fs::create_directories(scratch / "build/release/bin");
  const std::string program = scratch / "build/release/bin/tabula";
  std::ofstream(program) << "#!/bin/sh\necho the program hears $*\n";
  fs::permissions(program, fs::perms::owner_all);
  CHECK(contains(run(scratch / "tabula --help").output, "the program hears --help"));
  std::ofstream(program) << "#!/bin/sh\nexit 1\n";
  const Ran ran = run(scratch / "tabula --help");
  CHECK(ran.status == 0);
  CHECK(contains(ran.output, "any command builds it again"));
}
