#include "core/store/store.h"

#include <doctest/doctest.h>

#include <set>

#include "core/base/digest.h"
#include "core/store/model_files.h"
#include "tests/scratch.h"
#include "tests/stores.h"

using namespace tabula;

namespace {

Fate fate_of(Store& store, const Arrival& one) { return store.add({&one, 1})[0].fate; }

std::vector<Reader::Quarantined> quarantined_in(const Reader& reader) {
  std::vector<Reader::Quarantined> all;
  reader.each_quarantined([&](const Reader::Quarantined& one) { all.push_back(one); });
  return all;
}

}  // namespace

TEST_CASE("what was stored is read back in order, while the store is open and after") {
  const Scratch folder;
  const std::string path = folder / "games.db";
  std::vector<Arrival> games = arrivals(0, 200);
  games[7].bytes.clear();
  games[8] = arrival(8, 100000);
  const auto check_all = [&] {
    const Reader reader(path);
    const std::vector<LogEntry> entries = entries_in(reader);
    REQUIRE(entries.size() == games.size());
    for (std::size_t i = 0; i < games.size(); ++i) {
      CHECK(entries[i].sequence == i + 1);
      CHECK(entries[i].id == games[i].id);
      CHECK(entries[i].bytes == games[i].bytes);
    }
    CHECK(reader.check().empty());
    CHECK(reader.totals().games == 200);
    CHECK(reader.head() == 200);
  };
  {
    Store store(path, kToy);
    std::size_t done = 0;
    for (const std::size_t batch : {1u, 64u, 35u, 100u}) {
      const auto receipts = store.add({games.data() + done, batch});
      for (std::size_t i = 0; i < batch; ++i) {
        CHECK(receipts[i].fate == Fate::stored);
        CHECK(receipts[i].sequence == done + i + 1);
      }
      done += batch;
    }
    check_all();
  }
  CHECK_FALSE(std::filesystem::exists(path + "-wal"));
  check_all();
  CHECK(Store(path, {}).identity().game == "toy");
  check_all();
}

TEST_CASE("a resent game is stored once, also within one batch and after it has left") {
  const Scratch folder;
  Store store(folder / "games.db", kToy);
  const std::vector<Arrival> twice = {arrival(1), arrival(2), arrival(1)};
  const auto receipts = store.add(twice);
  CHECK(receipts[0].fate == Fate::stored);
  CHECK(receipts[2].fate == Fate::known);
  CHECK(receipts[2].sequence == receipts[0].sequence);
  CHECK(store.retire({.positions = 1}, 10) == 2);
  CHECK(fate_of(store, arrival(1)) == Fate::known);
  store.add(arrivals(3, 9));
  CHECK(store.drop({.worker = "node-1"}, "poison") == 2);
  CHECK(fate_of(store, arrival(4)) == Fate::known);
  CHECK(Reader(folder / "games.db").totals().seen_games == 8);
  CHECK(Reader(folder / "games.db").check().empty());
}

TEST_CASE("other bytes under a known id go to quarantine, once") {
  const Scratch folder;
  Store store(folder / "games.db", kToy);
  store.add(arrivals(0, 3));
  Arrival other = arrival(1);
  other.bytes += "x";
  CHECK(fate_of(store, other) == Fate::refused);
  CHECK(fate_of(store, other) == Fate::refused);
  const Reader reader(folder / "games.db");
  const auto held = quarantined_in(reader);
  REQUIRE(held.size() == 1);
  CHECK(held[0].bytes == other.bytes);
  CHECK(held[0].reason == "a game with this id was stored with other bytes");
  CHECK(held[0].account == "alice");
  CHECK(entries_in(reader).size() == 3);
  CHECK(reader.totals().quarantined == 1);
}

TEST_CASE("what is refused is kept with its reason and counted for who sent it") {
  const Scratch folder;
  Store store(folder / "games.db", kToy);
  Arrival bad = arrival(5);
  bad.kind = Arrival::Kind::refused;
  bad.reason = "ply 3 plays the action 9, which is not legal there.";
  store.add({&bad, 1});
  bad.bytes = "garbage";
  bad.id = {};
  store.add({&bad, 1});
  CHECK(fate_of(store, arrival(5)) == Fate::stored);  // a checker that was wrong may be mended
  const Reader reader(folder / "games.db");
  CHECK(quarantined_in(reader)[0].reason == bad.reason);
  CHECK(quarantined_in(reader)[0].id == id_of(5));
  REQUIRE(reader.origins().size() == 1);
  CHECK(reader.origins()[0].worker == "node-2");
  CHECK(reader.origins()[0].models == std::vector<std::string>{"uniform", "m1"});
  CHECK(reader.origins()[0].quarantined == 2);
  CHECK(reader.origins()[0].games == 1);
  CHECK(reader.check().empty());
}

TEST_CASE("an adjourned game waits, is lent to one at a time, and ends when it is finished") {
  const Scratch folder;
  Store store(folder / "games.db", kToy);
  const Reader reader(folder / "games.db");
  CHECK(fate_of(store, adjourned(1, 50)) == Fate::adjourned);
  CHECK(fate_of(store, adjourned(1, 80)) == Fate::adjourned);  // played on
  CHECK(fate_of(store, adjourned(1, 60)) == Fate::adjourned);  // late, and older
  CHECK(reader.totals().adjourned == 1);
  CHECK(reader.totals().games == 0);
  const auto lent = store.lend_adjourned("bob", 1000, 1060);
  REQUIRE(lent);
  CHECK(lent->id == id_of(1));
  CHECK(lent->bytes == adjourned(1, 80).bytes);
  CHECK_FALSE(store.lend_adjourned("carol", 1059, 1100));
  CHECK(store.lend_adjourned("carol", 1060, 1100));
  CHECK(reader.check().empty());
  CHECK(fate_of(store, arrival(1, 200)) == Fate::stored);
  CHECK_FALSE(store.lend_adjourned("carol", 9999, 99999));
  CHECK(fate_of(store, adjourned(1, 80)) == Fate::known);
  CHECK(fate_of(store, adjourned(1, 90)) == Fate::known);
  CHECK(reader.totals().adjourned == 0);
  CHECK(reader.totals().abandoned == 0);
  CHECK(reader.check().empty());
}

TEST_CASE("adjourned games that nobody finishes are given up and counted") {
  const Scratch folder;
  Store store(folder / "games.db", kToy);
  const std::vector<Arrival> both = {adjourned(1, 50), adjourned(2, 50)};
  store.add(both);
  CHECK(store.abandon_adjourned(1) == 0);
  CHECK(store.abandon_adjourned(std::int64_t{1} << 40) == 2);
  CHECK(Reader(folder / "games.db").totals().abandoned == 2);
  CHECK(Reader(folder / "games.db").totals().adjourned == 0);
  CHECK_FALSE(store.lend_adjourned("bob", 0, 1));
}

TEST_CASE("dropped games are in quarantine, and those who follow are told") {
  const Scratch folder;
  Store store(folder / "games.db", kToy);
  store.add(arrivals(0, 12));
  const Reader reader(folder / "games.db");
  const std::uint64_t before = reader.head();
  const auto dropped = [&](const DropFilter& filter) { return store.drop(filter, "poisoned"); };
  CHECK(dropped({.model = "m"}) == 0);  // whole names only
  CHECK(dropped({.account = "bob"}) == 0);
  CHECK(dropped({.since = std::int64_t{1} << 40}) == 0);
  CHECK(dropped({.until = 1}) == 0);
  CHECK(reader.head() == before);
  CHECK(dropped({.model = "m1", .worker = "node-0", .account = "alice", .since = 1}) == 2);
  const std::vector<LogEntry> told = entries_in(reader, before);
  REQUIRE(told.size() == 1);
  CHECK(told[0].kind == LogEntry::Kind::drop);
  CHECK(told[0].dropped == std::vector<std::uint64_t>{4, 10});  // games 3 and 9
  CHECK(entries_in(reader).size() == 11);
  const auto held = quarantined_in(reader);
  REQUIRE(held.size() == 2);
  CHECK(held[0].bytes == arrival(3).bytes);
  CHECK(held[0].reason == "poisoned");
  CHECK(reader.totals().dropped == 2);
  CHECK(reader.totals().games == 10);
  CHECK(reader.check().empty());
}

TEST_CASE("a drop of very many games reaches followers whole") {
  const Scratch folder;
  Store store(folder / "games.db", kToy);
  store.add(arrivals(0, 10000, 4));
  CHECK(store.drop({.account = "alice"}, "all") == 10000);
  const Reader reader(folder / "games.db");
  std::set<std::uint64_t> told;
  for (const LogEntry& entry : entries_in(reader))
    told.insert(entry.dropped.begin(), entry.dropped.end());
  CHECK(told.size() == 10000);
  CHECK(reader.check().empty());
}

TEST_CASE("old games retire from the tail, the file shrinks, and followers learn of the gap") {
  const Scratch folder;
  const std::string path = folder / "games.db";
  Store store(path, kToy);
  for (int batch = 0; batch < 40; ++batch)
    store.add(arrivals(std::uint64_t(batch) * 50, std::uint64_t(batch) * 50 + 50, 4000));
  store.checkpoint();
  const auto full = std::filesystem::file_size(path);
  const Reader reader(path);
  const Totals before = reader.totals();
  CHECK(store.retire({}, 100) == 0);
  CHECK(store.retire({.positions = before.positions, .bytes = before.bytes}, 100) == 0);
  CHECK(store.retire({.bytes = before.bytes - 1}, 100) == 1);
  std::uint64_t gone = 1;
  while (const std::uint64_t step = store.retire({.positions = before.positions / 10}, 64)) {
    CHECK(step <= 64);
    gone += step;
  }
  store.checkpoint();
  CHECK(std::filesystem::file_size(path) < full / 3);
  const Totals after = reader.totals();
  CHECK(after.retired == gone);
  CHECK(after.games == 2000 - gone);
  CHECK(after.positions <= before.positions / 10);
  CHECK(after.positions > before.positions / 11);
  CHECK(after.seen_games == 2000);
  const LogPage page = reader.read(5, 10000);
  CHECK(page.missed == gone - 5);
  CHECK(page.entries.front().sequence == gone + 1);
  CHECK(reader.read(gone, 1).missed == 0);
  store.add(arrivals(5000, 5001));
  CHECK(reader.head() == 2001);
  CHECK(reader.check().empty());
}

TEST_CASE("a sequence number is never given twice, even when all games are gone") {
  const Scratch folder;
  {
    Store store(folder / "games.db", kToy);
    store.add(arrivals(0, 10));
    CHECK(store.retire({.positions = 1}, 100) == 10);
  }
  Store store(folder / "games.db", kToy);
  const Arrival next = arrival(10);
  CHECK(store.add({&next, 1})[0].sequence == 11);
}

TEST_CASE("a page has at least one entry, then as many as fit, and says where to read on") {
  const Scratch folder;
  Store store(folder / "games.db", kToy);
  store.add(arrivals(0, 10, 100));
  const Reader reader(folder / "games.db");
  CHECK(reader.read(0, 1).entries.size() == 1);
  CHECK(reader.read(0, 1).next == 1);
  CHECK(reader.read(3, 250).entries.size() == 2);
  CHECK(reader.read(3, 250).next == 5);
  CHECK(reader.read(3, 1 << 20).entries.size() == 7);
  CHECK(reader.read(10, 100).entries.empty());
  CHECK(reader.read(10, 100).next == 10);
}

TEST_CASE("the log is moved into the file when asked, also while somebody reads") {
  const Scratch folder;
  Store store(folder / "games.db", kToy);
  const Reader reader(folder / "games.db");
  store.add(arrivals(0, 100, 5000));
  CHECK(store.log_bytes() > 500000);
  CHECK(entries_in(reader).size() == 100);
  store.checkpoint();
  CHECK(store.log_bytes() == 0);
  CHECK(entries_in(reader).size() == 100);
  store.add(arrivals(100, 101, 100));
  CHECK(store.log_bytes() > 0);
  CHECK(store.log_bytes() < 100000);
  CHECK(entries_in(reader).size() == 101);
}
