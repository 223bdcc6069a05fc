// Bits that flip and ends that are missing, in databases and model files. The rule: a reader gets
// bytes that were stored, or is told; and Reader::check() finds the damage, unless it lies where
// nothing is kept, in which case every row is still right.
#include <doctest/doctest.h>

#include <set>

#include "core/store/store.h"
#include "tests/faults/cluster.h"
#include "tests/faults/images.h"
#include "tests/faults/suite.h"
#include "tests/scratch.h"

using namespace tabula;
namespace fs = std::filesystem;

namespace {

// All that a reader can ask for, as text; each part may be refused by an Error.
struct Picture {
  std::map<std::uint64_t, std::string> games;  // by sequence number
  std::uint64_t damaged = 0;                   // rows that the reader says it left out
  std::vector<std::string> rows;               // other answers, or "?" where there was none
  bool refused = false;
};

template <class Ask>
void add_row(Picture& picture, Ask ask) {
  try {
    picture.rows.push_back(ask());
  } catch (const Error&) {
    picture.rows.emplace_back("?");
    picture.refused = true;
  }
}

std::string models_text(const Reader& reader) {
  std::string text;
  for (const ModelRow& row : reader.models())
    text += row.id + " " + std::to_string(row.number) + " " + std::to_string(row.bytes) + "\n";
  return text;
}

std::string matches_text(const Reader& reader) {
  std::string text;
  for (const MatchRow& row : reader.matches()) {
    text += row.candidate + " " + row.champion + " " + row.verdict + "\n";
    for (const SlotRow& slot : reader.reported(row.number)) text += slot.result + "\n";
  }
  return text;
}

std::string quarantine_text(const Reader& reader) {
  std::string text;
  reader.each_quarantined([&](const Reader::Quarantined& held) {
    text += hex(held.id) + " " + held.worker + " " + held.reason + " " +
            hex(digest_of(held.bytes)) + "\n";
  });
  return text;
}

std::string entry_text(const LogEntry& entry) {
  std::string text = hex(entry.id) + entry.bytes;
  for (std::uint64_t sequence : entry.dropped) text += " " + std::to_string(sequence);
  return text;
}

Picture picture_of(const fs::path& database) {
  Picture picture;
  try {
    const Reader reader(database);
    try {
      std::uint64_t after = 0;
      for (LogPage page; (page = reader.read(after, 20000)).next > after; after = page.next) {
        picture.damaged += page.damaged;
        for (const LogEntry& entry : page.entries)
          picture.games[entry.sequence] = entry_text(entry);
        if (page.next >= page.head) break;
      }
    } catch (const Error&) {
      picture.refused = true;
    }
    add_row(picture, [&] { return reader.identity().game + reader.identity().plugin; });
    add_row(picture, [&] { return std::to_string(reader.totals().games); });
    add_row(picture, [&] { return reader.champion().model; });
    add_row(picture, [&] { return models_text(reader); });
    add_row(picture, [&] { return matches_text(reader); });
    add_row(picture, [&] { return quarantine_text(reader); });
  } catch (const Error&) {
    picture.refused = true;
  }
  return picture;
}

// Damage that check() finds, or that keeps the file from being opened.
bool found_by_check(const fs::path& database) {
  try {
    return !Reader(database).check().empty();
  } catch (const Error&) {
    return true;
  }
}

std::string bytes_of(const fs::path& file) { return text_of(file.string()); }

void put_bytes(const fs::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

// One to three flipped bits, a sector of zeros or of another place, or a missing end.
std::string damaged(std::string bytes, Rng& rng) {
  const auto anywhere = [&] { return std::size_t(rng.below(std::uint32_t(bytes.size()))); };
  const std::uint32_t kind = rng.below(8);
  if (kind == 0) {
    bytes.resize(anywhere());
  } else if (kind <= 2) {
    const std::size_t sector = std::size_t{512} << rng.below(4);
    const std::size_t to = anywhere() / sector * sector, from = anywhere() / sector * sector;
    const std::size_t size = std::min(sector, bytes.size() - std::max(to, from));
    bytes.replace(to, size, kind == 1 ? std::string(size, '\0') : bytes.substr(from, size));
  } else {
    for (std::uint32_t i = 1 + rng.below(3); i > 0; --i)
      bytes[anywhere()] ^= char(1 << rng.below(8));
  }
  return bytes;
}

// Rows may be missing, whose keys are damaged; none may be new.
bool all_lines_of(const std::string& part, const std::string& whole) {
  std::istringstream in(part);
  for (std::string line; std::getline(in, line);)
    if (!contains("\n" + whole + "\n", "\n" + line + "\n")) return false;
  return true;
}

struct DamageTally {
  int trials = 0, changed = 0, found = 0, harmless = 0, left_out = 0;
  FaultLedger::Count count;
};

void check_damage(const fs::path& database, const Picture& whole, DamageTally& tally) {
  const Picture seen = picture_of(database);
  for (const auto& [sequence, bytes] : seen.games) {
    const auto stored = whole.games.find(sequence);
    tally.count.phantom += stored == whole.games.end();
    tally.count.altered += stored != whole.games.end() && stored->second != bytes;
  }
  for (std::size_t i = 0; i < seen.rows.size(); ++i)
    if (seen.rows[i] != "?") CHECK(all_lines_of(seen.rows[i], whole.rows[i]));
  const bool found = found_by_check(database);
  const bool all_right =
      !seen.refused && seen.damaged == 0 && seen.games == whole.games && seen.rows == whole.rows;
  CHECK((found || all_right));
  if (!found && !all_right) ++tally.count.lost;
  ++tally.trials;
  tally.found += found;
  tally.harmless += !found;
  tally.left_out += !all_right;
}

// A folder with a store's database, and its models.
std::string made_store(const Scratch& scratch, std::uint64_t seed, const char* die_at) {
  for (const char* name : {"worker", "store"}) fs::create_directories(scratch / name);
  Process({program("fault_writer"), "--folder", scratch.path(), "--seed", std::to_string(seed),
           "--limit", "150"},
          {std::string("TABULA_DIE_AT=") + die_at}, scratch / "said.txt")
      .wait();
  return scratch / "store/games.db";
}

}  // namespace

TEST_CASE("damage to a database never shows as a game, and the check finds it") {
  const std::uint64_t seed = suite_seed();
  const Row row("damaged databases", seed);
  Rng rng(seed);
  const Scratch scratch;
  const Image copies;
  const std::string database = made_store(scratch, seed, "");
  const std::string bytes = bytes_of(database);
  REQUIRE(!fs::exists(database + "-wal"));
  const Picture whole = picture_of(database);
  REQUIRE(whole.games.size() >= 150);
  REQUIRE(!whole.refused);
  REQUIRE(!found_by_check(database));
  DamageTally tally;
  for (int i = by_length(250, 10000, 60000); i > 0; --i) {
    const std::string copy = copies.path() / "games.db", wrong = damaged(bytes, rng);
    if (wrong == bytes) continue;
    put_bytes(copy, wrong);
    CAPTURE(i);
    check_damage(copy, whole, tally);
    for (const char* beside : {"", "-wal", "-shm"}) fs::remove(copy + beside);
  }
  CHECK(tally.count == FaultLedger::Count{});
  CHECK(tally.found > tally.trials / 4);
  CHECK(tally.left_out > 0);
  row.write(std::to_string(tally.trials) + " damaged files; found " + std::to_string(tally.found) +
                ", of no effect on any row " + std::to_string(tally.harmless),
            tally.count.text());
}

// SQLite ends a log where a checksum fails, as it must where the power went: games at its end may
// be missing, none is altered.
TEST_CASE("damage to the write-ahead log never shows as a game") {
  const std::uint64_t seed = suite_seed();
  const Row row("damaged write-ahead logs", seed);
  Rng rng(seed);
  const Scratch scratch;
  const Image copies;
  const std::string database = made_store(scratch, seed, "store.before-checkpoint:6");
  const std::string bytes = bytes_of(database), log = bytes_of(database + "-wal");
  REQUIRE(log.size() > 100000);
  const std::string copy = copies.path() / "games.db";
  const auto put = [&](const std::string& log_bytes) {
    for (const char* beside : {"", "-wal", "-shm"}) fs::remove(copy + beside);
    put_bytes(copy, bytes);
    put_bytes(copy + "-wal", log_bytes);
  };
  put(log);
  const Picture whole = picture_of(copy);
  REQUIRE(!whole.games.empty());
  const FaultGames games(seed);  // in an older state some are there that were dropped since
  std::set<std::string> dropped;
  for (std::uint64_t number = 0; number < 200; ++number) {
    const OutboxGame game = games.game(kPoisoner, number);
    dropped.insert(hex(game.id) + game.bytes);
  }
  int shorter = 0, altered = 0, trials = by_length(100, 3000, 20000);
  for (int i = trials; i > 0; --i) {
    put(damaged(log, rng));
    const Picture seen = picture_of(copy);
    for (const auto& [sequence, game] : seen.games)
      altered += !dropped.contains(game) &&
                 (!whole.games.contains(sequence) || whole.games.at(sequence) != game);
    shorter += seen.games.size() < whole.games.size();
    CHECK(!found_by_check(copy));  // what is left is a sound store
  }
  CHECK(altered == 0);
  CHECK(shorter > 0);
  row.write(std::to_string(trials) + " damaged logs; with fewer games " + std::to_string(shorter),
            "altered " + std::to_string(altered));
}

TEST_CASE("damage to a model's file is found before a byte of it is given out") {
  const std::uint64_t seed = suite_seed();
  const Row row("damaged models", seed);
  Rng rng(seed);
  const Scratch scratch;
  const Image copies;
  const std::string made = made_store(scratch, seed, ""), database = copies.path() / "games.db";
  fs::copy(made + ".models", database + ".models", fs::copy_options::recursive);
  const std::vector<ModelRow> models = Reader(made).models();
  REQUIRE(models.size() > 3);
  int found = 0, trials = 0;
  for (int i = by_length(100, 5000, 30000); i > 0; --i) {
    const ModelRow& model = models[rng.below(std::uint32_t(models.size()))];
    const fs::path file = ModelFiles(database).path(model.id);
    const std::string bytes = bytes_of(file), wrong = damaged(bytes, rng);
    if (wrong == bytes) continue;
    put_bytes(file, wrong);
    const ModelFiles files(database);
    CHECK_THROWS_AS(files.verify(model.id), Error);
    CHECK_THROWS_AS(files.piece(model.id, 0, 100), Error);
    ++trials;
    try {
      files.verify(model.id);
    } catch (const Error&) {
      ++found;
    }
    put_bytes(file, bytes);
    CHECK(files.piece(model.id, 0, bytes.size()) == bytes);
  }
  CHECK(trials > 0);
  CHECK(found == trials);
  row.write(std::to_string(trials) + " damaged files; found " + std::to_string(found), "altered 0");
}
