// The arrows of the design: who may include whom, and where each library lives.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

using Names = std::set<std::string>;

// Our own folders that a folder may include from, besides itself.
const std::map<std::string, Names> kMayInclude = {
    {"core/base", {}},
    {"core/game", {"core/base"}},
    {"core/cli", {"core/base"}},
    {"games", {"core/game"}},
    {"bench", {"core/base", "core/game"}},
    {"front", {"core/base", "core/game", "core/cli", "bench", "games"}},
};

// Libraries and their one home.
const std::map<std::string, Names> kHomes = {
    {"torch|ATen|c10|dnnl|oneapi", {"core/nn"}},
    {"sqlite3", {"core/store"}},
    {"zmq", {"core/wire"}},
    {"msgpack|zstd", {"core/data"}},
    {"httplib", {"core/http"}},
    {"google/protobuf", {"core/report"}},
    {"sodium", {"core/base", "core/wire"}},
    {"boost/program_options", {"core/cli"}},
};

std::string folder_of(const std::string& path) {
  static const std::regex folder("^(core/[a-z]+|[a-z]+)/.*");
  std::smatch match;
  return std::regex_match(path, match, folder) ? match[1].str() : "";
}

void each_include(
    const std::function<void(const std::string& file, const std::string& included)>& visit) {
  static const std::regex include("^ *#include *[<\"]([^>\"]+)[>\"].*");
  for (const char* top : {"core", "games", "bench", "front"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(TABULA_SOURCE) / top)) {
      if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
      std::ifstream in(entry.path());
      std::smatch match;
      for (std::string line; std::getline(in, line);)
        if (std::regex_match(line, match, include))
          visit(fs::relative(entry.path(), TABULA_SOURCE).string(), match[1].str());
    }
}

}  // namespace

TEST_CASE("includes point one way, and each library has one home") {
  int seen = 0;
  each_include([&](const std::string& file, const std::string& included) {
    CAPTURE(file);
    CAPTURE(included);
    ++seen;
    const std::string from = folder_of(file), to = folder_of(included);
    if (kMayInclude.contains(to) && to != from) CHECK(kMayInclude.at(from).contains(to));
    for (const auto& [library, homes] : kHomes)
      if (std::regex_search(included, std::regex("^(" + library + ")[./]")) ||
          std::regex_match(included, std::regex("(" + library + ")(\\.hpp|\\.h)?")))
        CHECK(homes.contains(from));
  });
  CHECK(seen > 100);
}
