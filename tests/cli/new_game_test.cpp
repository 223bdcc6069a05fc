#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "tests/run.h"
#include "tests/scratch.h"

using namespace tabula;
namespace fs = std::filesystem;

namespace {

void check_run(const std::string& command) {
  const Ran ran = run(command);
  CAPTURE(command);
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
}

}  // namespace

TEST_CASE("a new game builds against an installation, and passes its tests and the checker") {
  const Scratch scratch;
  const std::string spaced = scratch / "with space", here = "cd '" + spaced + "' && ";
  check_run("cmake --install " TABULA_BUILD " --prefix '" + spaced + "/prefix'");
  check_run(here + "prefix/bin/tabula new-game nim");
  check_run(here + "cmake -S nim -B nim/build && cmake --build nim/build");
  check_run(here + "ctest --test-dir nim/build --output-on-failure");
  check_run(here + "prefix/bin/tabula check-game nim/build/nim.so");
  check_run(here + "TABULA_PLUGINS=nim/build prefix/bin/tabula perft nim 3");
  check_run(here + "prefix/bin/tabula games --plugins nim/build | grep -q '^nim '");
  check_run(here + "test $(nm -D --defined-only nim/build/nim.so | grep -c .) = 1");
}

TEST_CASE("an out-of-tree plugin needs no more than four lines of CMake") {
  const Scratch scratch;
  check_run("cd " + scratch.path() + " && " TABULA_BUILD "/bin/tabula new-game nim");
  std::ofstream(scratch / "nim/CMakeLists.txt")
      << "cmake_minimum_required(VERSION 3.25)\nproject(nim CXX)\nfind_package(Tabula REQUIRED)\n"
         "tabula_add_game(nim nim.cpp)\n";
  check_run("cd " + scratch.path() +
            " && cmake -S nim -B b -DCMAKE_PREFIX_PATH=" TABULA_BUILD
            " && cmake --build b && " TABULA_BUILD "/bin/tabula check-game b/nim.so");
}

TEST_CASE("a new game may stand elsewhere, and have any name that the contract allows") {
  const Scratch scratch;
  const std::string here = "cd '" + scratch.path() + "' && ";
  const Ran wrote = run(here + TABULA_BUILD "/bin/tabula new-game 'my games/tic-tac-2'");
  REQUIRE(wrote.status == 0);
  const std::string next = "Next:\n";  // the commands that the program itself shows
  const std::string commands = wrote.output.substr(wrote.output.find(next) + next.size());
  check_run(here + "set -e\n" + commands);
  check_run(here + "ctest --test-dir 'my games/tic-tac-2/build' --output-on-failure");
}

TEST_CASE("new-game overwrites nothing and wants a sound name") {
  const Scratch scratch;
  const std::string here = "cd " + scratch.path() + " && " TABULA_BUILD "/bin/tabula new-game ";
  check_run(here + "nim");
  CHECK(contains(run(here + "nim").output, "nim is already there"));
  CHECK(contains(run(here + "Nim").output, "cannot be a game's name"));
  CHECK(contains(run(here + "test").output, "means something to CMake"));
  CHECK(contains(run(here + "nim/").output, "cannot be a game's name"));
  CHECK(contains(run(here + "'my games/-nim'").output, "cannot be a game's name"));
  CHECK(!fs::exists(scratch / "my games"));
  CHECK(contains(run(here).output, "NAME is missing"));
  CHECK(run(here + "nim").status == 1);
  const Ran nowhere = run("cd /proc && " TABULA_BUILD "/bin/tabula new-game nim");
  CHECK(nowhere.status == 1);
  CHECK(contains(nowhere.output, "nim: cannot make this folder: "));
}
