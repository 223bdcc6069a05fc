// Bits that flip and files that end too early: never a wrong byte, and always found.
#include <doctest/doctest.h>

#include <fstream>

#include "core/base/digest.h"
#include "core/base/files.h"
#include "core/store/errors.h"
#include "tests/scratch.h"
#include "tests/sqlite_file.h"
#include "tests/stores.h"

using namespace tabula;

namespace {

constexpr std::size_t kMost = 64 << 20;

void overwrite(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  std::filesystem::remove(path + "-wal");
  std::filesystem::remove(path + "-shm");
}

// A store with something in every table.
void fill(const std::string& path) {
  Store store(path, kToy);
  std::vector<Arrival> games = arrivals(0, 200);
  for (std::uint64_t big : {200, 201, 202}) games.push_back(arrival(big, 9000));
  games.push_back(adjourned(300, 500));
  games.push_back(adjourned(301, 5000));
  games.push_back(arrival(302));
  games.back().kind = Arrival::Kind::refused;
  games.back().reason = "it is not what it says";
  store.add(games);
  store.lend_adjourned("bob", 5, 6);
  store.drop({.model = "m1", .worker = "node-2"}, "poison");
  store.retire({.positions = 1500}, 5);
  const std::string a = hex(digest_of("a")), b = hex(digest_of("b"));
  store.add_model({.id = a, .bytes = 5, .step = 6, .account = "t", .signature = "s", .made = 7});
  store.add_model({.id = b, .bytes = 6, .step = 9, .parent = a, .made = 8});
  store.move_champion(0, a, 0);
  const auto match = store.open_match({.candidate = b, .champion = a, .slots = 4});
  store.lend_slot(match, "x", 1, 2);
  store.report_slot(match, 1, "win", "x");
  store.decide_match(match, "better", true);
}

template <class... Values>
void say(std::string& text, const Values&... values) {
  const auto one = [&](const auto& value) {
    if constexpr (std::is_convertible_v<decltype(value), std::string_view>)
      text += std::string(value);
    else
      text += std::to_string(value);
    text += ' ';
  };
  (one(values), ...);
  text += '\n';
}

// All that a reader can ask for besides the log. Throws Damaged.
std::string all_rows(const Reader& reader) {
  std::string text;
  const Totals t = reader.totals();
  say(text, reader.identity().game, reader.identity().rules, reader.identity().plugin);
  say(text, t.games, t.positions, t.bytes, t.seen_games, t.seen_positions, t.quarantined, t.dropped,
      t.retired, t.adjourned, t.abandoned, reader.head());
  for (const ModelRow& row : reader.models())
    say(text, row.id, row.number, row.bytes, row.step, row.parent, row.account, row.signature,
        row.made);
  say(text, reader.champion().model, reader.champion().version, reader.champion().match);
  for (const MatchRow& row : reader.matches()) {
    say(text, row.number, row.candidate, row.champion, row.slots, row.settings, int(row.open),
        row.verdict);
    for (const SlotRow& slot : reader.reported(row.number))
      say(text, slot.slot, slot.result, slot.account);
  }
  reader.each_quarantined([&](const Reader::Quarantined& row) {
    say(text, row.number, row.when, hex(row.id), row.account, row.worker, row.reason, row.bytes);
  });
  return text;
}

struct Truth {
  std::map<std::uint64_t, LogEntry> log;
  std::string rows;

  explicit Truth(const std::string& path) {
    const Reader reader(path);
    for (const LogEntry& entry : entries_in(reader)) log[entry.sequence] = entry;
    rows = all_rows(reader);
    REQUIRE(reader.check().empty());
  }
  bool holds(const LogEntry& entry) const {
    const auto found = log.find(entry.sequence);
    return found != log.end() && found->second.kind == entry.kind && found->second.id == entry.id &&
           found->second.bytes == entry.bytes && found->second.dropped == entry.dropped;
  }
};

struct Verdict {
  bool true_bytes = true;  // nothing that was read is wrong
  bool found = false;      // check() or an error told of the damage
  bool complete = true;    // all was read
};

Verdict examine(const std::string& path, const Truth& truth) {
  Verdict verdict;
  try {
    const Reader reader(path);
    std::size_t seen = 0;
    try {
      for (const LogEntry& entry : entries_in(reader)) {
        verdict.true_bytes = verdict.true_bytes && truth.holds(entry);
        ++seen;
      }
    } catch (const Error&) {}
    verdict.complete = seen == truth.log.size();
    try {
      const std::string rows = all_rows(reader);
      verdict.complete = verdict.complete && rows == truth.rows;
    } catch (const Error&) {
      verdict.complete = false;
    }
    verdict.found = !reader.check().empty();
  } catch (const Error&) {
    verdict = {true, true, false};
  }
  return verdict;
}

}  // namespace

TEST_CASE("a flipped bit never reaches a reader, and is found wherever it matters") {
  const Scratch folder;
  const std::string path = folder / "games.db";
  fill(path);
  const Truth truth(path);
  const std::string sound = read_file(path, kMost);
  constexpr int kFlips = 600;
  Rng rng(5);
  int found = 0, harmless = 0;
  for (int i = 0; i < kFlips; ++i) {
    std::string bytes = sound;
    const std::size_t at = rng.below(std::uint32_t(bytes.size()));
    const int bit = int(rng.below(8));
    bytes[at] = char(bytes[at] ^ (1 << bit));
    overwrite(path, bytes);
    const Verdict verdict = examine(path, truth);
    CAPTURE(at);
    CAPTURE(bit);
    CHECK(verdict.true_bytes);
    CHECK((verdict.found || verdict.complete));  // what nobody reads may be anything
    found += verdict.found;
    harmless += !verdict.found;
  }
  MESSAGE(found << " of " << kFlips << " flips were found; " << harmless
                << " were in bytes that nothing uses");
  CHECK(found > kFlips / 2);
}

TEST_CASE("a file that ends too early gives nothing wrong, and it is found") {
  const Scratch folder;
  const std::string path = folder / "games.db";
  fill(path);
  const Truth truth(path);
  const std::string sound = read_file(path, kMost);
  Rng rng(6);
  for (int i = 0; i < 100; ++i) {
    const std::size_t size = i < 10 ? std::size_t(i) * 20 : rng.below(std::uint32_t(sound.size()));
    overwrite(path, sound.substr(0, size));
    const Verdict verdict = examine(path, truth);
    CAPTURE(size);
    CHECK(verdict.true_bytes);
    CHECK(verdict.found);
  }
}

// SQLite cannot see what its own hand wrote: only the seals can.
TEST_CASE("a changed value in any column of any table is found by the row's seal") {
  const Scratch folder;
  const std::string path = folder / "games.db";
  fill(path);
  const std::string sound = read_file(path, kMost);
  const std::string columns = sql_result(
      path,
      "SELECT m.name || ' ' || p.name || ' ' || p.type FROM sqlite_schema m, "
      "pragma_table_info(m.name) p WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%'");
  std::istringstream lines(columns);
  int tried = 0;
  for (std::string table, column, type; lines >> table >> column >> type; ++tried) {
    overwrite(path, sound);
    CAPTURE(table);
    CAPTURE(column);
    const std::string place = " FROM " + table + " LIMIT 1)";
    const std::string value = type == "INTEGER" ? column + " + 1000"
                              : type == "TEXT"  ? column + " || 'x'"
                                                : "x'00'";
    const std::string key =
        sql_result(path, "SELECT hex(seal)" + place.substr(0, place.size() - 1));
    run_sql(path, "UPDATE " + table + " SET " + column + " = " + value + " WHERE hex(seal) = '" +
                      key.substr(0, key.find('\n')) + "'");
    const std::vector<std::string> said = Reader(path).check();
    CHECK(std::ranges::any_of(said, [&](const std::string& sentence) {
      return sentence.starts_with("A row of the table " + table + " is damaged");
    }));
  }
  CHECK(tried > 60);
}

TEST_CASE("a row that is gone is missed by the totals or by those who refer to it") {
  const Scratch folder;
  const std::string path = folder / "games.db";
  fill(path);
  const std::string sound = read_file(path, kMost);
  for (const std::string table : {"log", "known", "adjourned", "quarantine", "origin", "identity",
                                  "ledger", "model", "champion"}) {
    overwrite(path, sound);
    CAPTURE(table);
    run_sql(path,
            "DELETE FROM " + table + " WHERE seal = (SELECT seal FROM " + table + " LIMIT 1)");
    bool missed = false;
    try {
      missed = !Reader(path).check().empty();
    } catch (const Error&) {
      missed = true;
    }
    CHECK(missed);
  }
}
