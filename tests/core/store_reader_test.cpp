// Readers beside a writer, after it was killed, and where they may not write.
#include "core/store/reader.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <atomic>
#include <thread>

#include "core/base/files.h"
#include "tests/child.h"
#include "tests/run.h"
#include "tests/scratch.h"
#include "tests/stores.h"

using namespace tabula;

namespace {

// Leaves a database as a process that was killed does: with a write-ahead log.
void write_and_die(const std::string& path, std::uint64_t from, std::uint64_t to) {
  Child child([&] {
    Store store(path, kToy);
    store.add(arrivals(from, to));
    ::raise(SIGKILL);
  });
  child.wait();
}

}  // namespace

TEST_CASE("followers read everything once and in order while games come in and old ones leave") {
  const Scratch folder;
  const std::string path = folder / "games.db";
  Store store(path, kToy);
  std::atomic<bool> ended = false;
  std::atomic<int> wrong = 0;
  std::vector<std::uint64_t> seen(3), missed(3);
  std::vector<std::thread> followers;
  for (std::size_t f = 0; f < seen.size(); ++f)
    followers.emplace_back([&, f] {
      const Reader reader(path);
      std::uint64_t after = 0;
      for (bool last = false; !last;) {
        last = ended;
        for (LogPage page; (page = reader.read(after, 3000)).next > after; after = page.next) {
          missed[f] += page.missed;
          std::uint64_t expected = after + page.missed + 1;
          for (const LogEntry& entry : page.entries) {
            wrong += entry.sequence != expected++;
            wrong += entry.bytes != arrival(entry.sequence - 1).bytes;
          }
          seen[f] += page.entries.size();
          wrong += page.damaged != 0;
        }
      }
    });
  for (std::uint64_t from = 0; from < 2000; from += 20) {
    store.add(arrivals(from, from + 20));
    if (from % 200 == 0) store.checkpoint();
    store.retire({.positions = 6000}, 30);
  }
  ended = true;
  for (std::thread& follower : followers) follower.join();
  CHECK(wrong == 0);
  for (std::size_t f = 0; f < seen.size(); ++f) CHECK(seen[f] + missed[f] == 2000);
}

TEST_CASE("what a killed writer stored is read, before and after somebody writes again") {
  const Scratch folder;
  const std::string path = folder / "games.db";
  write_and_die(path, 0, 50);
  CHECK(std::filesystem::file_size(path + "-wal") > 10000);
  CHECK(entries_in(Reader(path)).size() == 50);
  CHECK(entries_in(Reader(path)).size() == 50);
  CHECK(std::filesystem::file_size(path + "-wal") > 10000);  // readers move nothing
  std::filesystem::remove(path + "-shm");
  CHECK(entries_in(Reader(path)).size() == 50);
  write_and_die(path, 50, 70);
  CHECK(Reader(path).totals().games == 70);
  Store store(path, {});
  std::filesystem::copy_file(path, folder / "alone.db");
  CHECK(Reader(folder / "alone.db").totals().games == 70);  // moved before anything is answered
  store.add(arrivals(70, 71));
  CHECK(entries_in(Reader(path)).size() == 71);
  CHECK(Reader(path).check().empty());
}

TEST_CASE("a reader that finds no way says so in one sentence") {
  const Scratch folder;
  const std::string path = folder / "games.db";
  write_and_die(path, 0, 5);
  std::filesystem::remove(path + "-shm");
  const std::string said = in_child([&]() -> std::string {
    chmod(folder.path().c_str(), 0555);
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) return "(no user)";
    return std::to_string(Reader(path).totals().games);
  });
  chmod(folder.path().c_str(), 0755);
  CAPTURE(said);
  if (said != "(no user)") CHECK(contains(said, path + ": "));
  CHECK(std::ranges::count(said, '\n') == 0);
}

TEST_CASE("a backup is the store at one moment, whole, beside a writer") {
  const Scratch folder;
  const std::string path = folder / "games.db", copy = folder / "copy.db";
  Store store(path, kToy);
  store.add(arrivals(0, 100, 3000));
  const Reader reader(path);
  std::atomic<bool> ended = false;
  std::thread writer([&] {
    for (std::uint64_t n = 100; !ended; ++n) store.add(arrivals(n, n + 1));
  });
  reader.backup(copy);
  ended = true;
  writer.join();
  const Reader second(copy);
  CHECK(second.check().empty());
  const std::vector<LogEntry> entries = entries_in(second);
  CHECK(entries.size() >= 100);
  for (const LogEntry& entry : entries)
    CHECK(entry.bytes == arrival(entry.sequence - 1, entry.sequence <= 100 ? 3000 : 300).bytes);
  CHECK_THROWS_WITH_AS(reader.backup(copy), doctest::Contains("replaces nothing"), Error);
  CHECK_THROWS_AS(reader.backup(folder / "none/copy.db"), Error);
  Store(copy, kToy).add(arrivals(5000, 5001));
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) <= 6);
}
