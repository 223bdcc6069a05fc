// kill -9 between every two steps of a game's way to the disk.
#include <doctest/doctest.h>
#include <fcntl.h>

#include <fstream>
#include <set>

#include "core/base/digest.h"
#include "core/store/model_files.h"
#include "tests/run.h"
#include "tests/scratch.h"
#include "tests/stores.h"

using namespace tabula;

namespace {

constexpr std::uint64_t kGames = 60;
const std::string kModel = "the bytes of a model";

// Told by a write of its own, as a worker is told by a message.
void promise(const std::string& folder, const std::string& what) {
  const int file = open((folder + "/promised").c_str(), O_WRONLY | O_APPEND | O_CREAT, 0666);
  const std::string line = what + "\n";
  if (write(file, line.data(), line.size()) < 0) std::abort();
  close(file);
}

// A store that goes through everything, from wherever an earlier one died.
void go_through(const std::string& folder) {
  Store store(folder + "/games.db", kToy);
  ModelFiles files(folder + "/games.db");
  const std::string id = hex(digest_of(kModel));
  for (std::uint64_t from = 0; from < kGames; from += 6) {
    std::vector<Arrival> games = arrivals(from, from + 6);
    games.push_back(adjourned(from + 1000, 40));
    Arrival bad = arrival(from + 2000);
    bad.kind = Arrival::Kind::refused;
    games.push_back(bad);
    store.add(games);
    for (std::uint64_t number = from; number < from + 6; ++number)
      promise(folder, std::to_string(number));
    if (from % 12 == 0) store.checkpoint();
    store.retire({}, 5);
  }
  if (!files.has(id)) {
    files.receive(id, 0, kModel.substr(0, 10));
    files.receive(id, 10, kModel.substr(10));
  }
  files.complete(id);
  store.add_model({.id = id});
  promise(folder, "model");
  if (Reader(folder + "/games.db").champion().version == 0) {
    store.move_champion(0, id, 0);
    promise(folder, "champion");
  }
  if (Reader(folder + "/games.db").totals().dropped == 0)
    store.drop({.worker = "node-2"}, "poison");
}

// Runs it in a process of its own, which dies at a point, or at none.
Ran run_child(const std::string& folder, const std::string& point) {
  return run("exec env TABULA_DIE_AT='" + point + "' TABULA_KILL_FOLDER=" + folder + " " +
             TABULA_BUILD "/bin/tabula_tests --no-skip '--test-case=(child) a store*'");
}

void check_kept(const std::string& folder, bool ended) {
  if (!std::filesystem::exists(folder + "/games.db")) return;
  const Reader reader(folder + "/games.db");
  std::set<std::string> kept;
  for (const LogEntry& entry : entries_in(reader))
    if (entry.kind == LogEntry::Kind::game) {
      const std::uint64_t number = entry.id[15];
      CHECK(entry.bytes == arrival(number).bytes);
      CHECK(kept.insert(std::to_string(number)).second);
    }
  reader.each_quarantined([&](const Reader::Quarantined& one) {
    if (one.reason == "poison") CHECK(kept.insert(std::to_string(one.id[15])).second);
  });
  if (reader.champion().version == 1) kept.insert("champion");
  if (!reader.models().empty()) {
    kept.insert("model");
    CHECK_NOTHROW(ModelFiles(folder + "/games.db").verify(reader.models()[0].id));
  }
  std::ifstream promised(folder + "/promised");
  for (std::string line; std::getline(promised, line);) CHECK(kept.contains(line));
  CHECK(reader.check().empty());
  if (!ended) return;
  CHECK(kept.size() == kGames + 2);
  CHECK(reader.totals().adjourned == kGames / 6);
  CHECK(reader.totals().seen_games == kGames);
}

}  // namespace

TEST_CASE("(child) a store goes through everything" * doctest::skip()) {
  go_through(std::getenv("TABULA_KILL_FOLDER"));
}

TEST_CASE("a store killed between any two steps has what it promised, once, and goes on") {
  const char* points[] = {"store.begin:1",
                          "store.begin:5",
                          "store.insert:9",
                          "store.known:20",
                          "store.quarantine:4",
                          "store.adjourned:3",
                          "store.before-commit:1",
                          "store.before-commit:4",
                          "store.committed:1",
                          "store.committed:4",
                          "store.before-checkpoint:2",
                          "store.checkpointed:2",
                          "store.retire:3",
                          "store.champion:1",
                          "store.drop:1",
                          "model.written:1",
                          "model.written:2",
                          "model.flushed:1",
                          "model.renamed:1",
                          "model.named:1",
                          "model.row:1"};
  for (const char* point : points) {
    const Scratch folder;
    CAPTURE(point);
    const Ran killed = run_child(folder.path(), point);
    CHECK(killed.status == 128 + SIGKILL);
    check_kept(folder.path(), false);
    const Ran ended = run_child(folder.path(), "");
    CAPTURE(ended.output);
    CHECK(ended.status == 0);
    check_kept(folder.path(), true);
  }
}
