// The arrows of the design: who may include whom, and where each library lives.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <string>

namespace fs = std::filesystem;

namespace {

using Names = std::set<std::string>;

// Our own folders that a folder may include from, besides itself.
const std::map<std::string, Names> kMayInclude = {
    {"core/base", {}},
    {"core/game", {"core/base"}},
    {"core/cli", {"core/base"}},
    {"core/report", {"core/base"}},
    {"core/http", {"core/base"}},
    {"core/eval", {"core/base", "core/game"}},
    {"core/search", {"core/base", "core/game", "core/eval"}},
    {"core/truth", {"core/base", "core/game", "core/eval", "core/search"}},
    {"core/data", {"core/base", "core/game", "core/eval", "core/search"}},
    {"core/nn", {"core/base", "core/game", "core/eval", "core/data"}},
    {"core/store", {"core/base", "core/data"}},
    {"core/wire", {"core/base", "core/data"}},
    {"core/service", {"core/base", "core/game", "core/data", "core/store", "core/wire"}},
    {"core/loop",
     {"core/arena", "core/base", "core/game", "core/cli", "core/eval", "core/search", "core/data",
      "core/nn", "core/store", "core/wire"}},
    {"selfplay", {"core/base", "core/game", "core/cli", "core/data", "core/wire", "core/loop"}},
    {"trainer",
     {"core/base", "core/game", "core/cli", "core/data", "core/nn", "core/store", "core/wire",
      "core/service", "core/report", "core/loop"}},
    {"core/arena",
     {"core/cli", "core/base", "core/game", "core/eval", "core/search", "core/data", "core/nn",
      "core/wire"}},
    {"arena",
     {"core/loop", "core/base", "core/game", "core/search", "core/data", "core/nn", "core/wire",
      "core/arena", "core/cli", "games"}},
    {"replay",
     {"core/base", "core/game", "core/store", "core/wire", "core/service", "core/cli", "core/http",
      "core/report"}},
    {"games", {"core/game"}},
    {"bench",
     {"core/base", "core/game", "core/eval", "core/search", "core/data", "core/nn", "core/store",
      "core/wire", "core/service"}},
    {"front",
     {"core/base", "core/game", "core/eval", "core/search", "core/nn", "core/cli", "core/data",
      "core/store", "core/truth", "core/wire", "core/service", "core/loop", "core/arena",
      "core/report", "bench", "games"}},
};

// Libraries, by the beginning of what is included, and their homes.
const std::map<std::string, Names> kHomes = {
    {"torch/", {"core/nn"}},
    {"ATen/", {"core/nn"}},
    {"c10/", {"core/nn"}},
    {"dnnl", {"core/nn"}},
    {"oneapi/", {"core/nn"}},
    {"sqlite3", {"core/store", "bench"}},
    {"zmq", {"core/wire"}},
    {"msgpack", {"core/data"}},
    {"zstd", {"core/data"}},
    {"httplib", {"core/http"}},
    {"google/protobuf", {"core/report"}},
    {"sodium", {"core/base", "core/wire"}},
    {"boost/program_options", {"core/cli"}},
};

// "core/game" of core/game/check/laws.h, "front" of front/main.cpp, "" of vector.
std::string folder_of(const std::string& path) {
  const std::size_t slash = path.find('/', path.starts_with("core/") ? 5 : 0);
  return slash == path.npos ? "" : path.substr(0, slash);
}

// What a line includes, or "".
std::string included_by(const std::string& line) {
  if (!line.starts_with("#include ")) return "";
  const std::size_t open = line.find_first_of("<\""), close = line.find_first_of(">\"", open + 1);
  return close == line.npos ? "" : line.substr(open + 1, close - open - 1);
}

using Visit = std::function<void(const std::string& file, const std::string& included)>;

void each_include(const Visit& visit) {
  for (const char* top :
       {"core", "games", "bench", "front", "replay", "arena", "selfplay", "trainer"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(TABULA_SOURCE) / top)) {
      if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);)
        if (const std::string included = included_by(line); !included.empty())
          visit(fs::relative(entry.path(), TABULA_SOURCE).string(), included);
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
      if (included.starts_with(library)) CHECK(homes.contains(from));
  });
  CHECK(seen > 100);
}
