#include <doctest/doctest.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>
#include <limits>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/report/csv.h"
#include "tests/child.h"
#include "tests/scratch.h"

using namespace tabula;
namespace fs = std::filesystem;

namespace {

const std::vector<std::string> kColumns = {"loss", "games"};

std::string text_of(const std::string& path) { return read_file(path, 1 << 20); }

void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

// What is in a table of these bytes once it has been opened.
std::string opened(const std::string& text) {
  const Scratch folder;
  write(folder / "t.csv", text);
  StepTable(folder / "t.csv", kColumns);
  return text_of(folder / "t.csv");
}

}  // namespace

TEST_CASE("rows follow a header, and whoever opens the table again goes on with it") {
  const Scratch folder;
  const std::string path = folder / "progress.csv";
  StepTable(path, kColumns).add(1, std::array{0.5, 3.});
  StepTable again(path, kColumns);
  CHECK(text_of(path) == "step,loss,games\n1,0.5,3\n");
  CHECK(again.last_of_first_column() == 0.5);
  again.add(20, std::array{1e-9, 12345678.});
  CHECK(text_of(path) == "step,loss,games\n1,0.5,3\n20,1e-09,12345678\n");  // at once
}

TEST_CASE("what is not a finite number is an empty cell") {
  const Scratch folder;
  StepTable table(folder / "t.csv", kColumns);
  table.add(1, std::array{std::numeric_limits<double>::quiet_NaN(), 1.});
  table.add(2, std::array{1., -std::numeric_limits<double>::infinity()});
  CHECK(text_of(folder / "t.csv") == "step,loss,games\n1,,1\n2,1,\n");
}

TEST_CASE("a table torn at any byte keeps its whole rows") {
  const std::string whole = "step,loss,games\n1,0.5,3\n2,0.25,17\n3,0.125,99\n";
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    CAPTURE(size);
    const std::string torn = whole.substr(0, size);
    const std::string expected =
        size < 16 ? "step,loss,games\n" : torn.substr(0, torn.rfind('\n') + 1);
    CHECK(opened(torn) == expected);
  }
}

TEST_CASE("zeros that a power cut leaves at the end are no rows") {
  const std::string good = "step,loss,games\n1,0.5,3\n";
  CHECK(opened(good + std::string(100, '\0')) == good);
  CHECK(opened(good + "2,0.5" + std::string(100, '\0') + "\n7,1,1") == good);
  CHECK(opened(good + "2,0.5\n") == good);
  CHECK(opened(good + "x,1,1\n") == good);
}

TEST_CASE("a table with other columns is kept under another name") {
  const Scratch folder;
  const std::string path = folder / "t.csv";
  write(path, "step,other\n1,2\n");
  StepTable(path, kColumns).add(1, std::array{1., 2.});
  CHECK(text_of(path) == "step,loss,games\n1,1,2\n");
  CHECK(text_of(path + ".1") == "step,other\n1,2\n");
  StepTable(path, {"loss"});
  CHECK(text_of(path + ".1") == "step,other\n1,2\n");
  CHECK(text_of(path + ".2") == "step,loss,games\n1,1,2\n");
}

TEST_CASE("rows after a step can be forgotten, and others follow") {
  const Scratch folder;
  const std::string path = folder / "t.csv";
  StepTable table(path, kColumns);
  for (int step : {10, 20, 30, 40}) table.add(step, std::array{1., 2.});
  table.forget_after(40);
  CHECK(text_of(path) == "step,loss,games\n10,1,2\n20,1,2\n30,1,2\n40,1,2\n");
  table.forget_after(25);
  table.add(26, std::array{3., 4.});
  CHECK(text_of(path) == "step,loss,games\n10,1,2\n20,1,2\n26,3,4\n");
  table.forget_after(-1);
  CHECK(text_of(path) == "step,loss,games\n");
}

TEST_CASE("a row that finds no room leaves no torn row behind") {
  const Scratch folder;
  const std::string path = folder / "t.csv";
  const std::string said = in_child([&]() -> std::string {
    signal(SIGXFSZ, SIG_IGN);
    StepTable table(path, kColumns);
    table.add(1, std::array{0.5, 3.});
    const rlimit limit{28, 28};  // the next row would be torn
    setrlimit(RLIMIT_FSIZE, &limit);
    table.add(2, std::array{0.25, 17.});
    return "(it was written)";
  });
  CHECK(said.find("cannot append to it") != said.npos);
  CHECK(text_of(path) == "step,loss,games\n1,0.5,3\n");
}

TEST_CASE("a table in a folder that is not there is refused with a sentence") {
  CHECK_THROWS_WITH_AS(StepTable("/no/such/folder/t.csv", kColumns),
                       doctest::Contains("cannot open it"), Error);
}
