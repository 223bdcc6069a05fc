#include "core/store/schema.h"

#include "core/store/errors.h"
#include "core/store/ledger.h"
#include "core/store/seal.h"

namespace tabula {
namespace {

// Times are seconds since 1970. Large columns come late, so that the others are read without them.
constexpr const char* kVersion1 = R"(
CREATE TABLE identity(one INTEGER PRIMARY KEY, game TEXT, rules INTEGER, plugin TEXT, seal BLOB);
CREATE TABLE ledger(one INTEGER PRIMARY KEY, head INTEGER, tail INTEGER, games INTEGER,
  positions INTEGER, bytes INTEGER, seen_games INTEGER, seen_positions INTEGER,
  quarantined INTEGER, dropped INTEGER, retired INTEGER, adjourned INTEGER, abandoned INTEGER,
  models INTEGER, champions INTEGER, matches INTEGER, seal BLOB);
-- Who made games, with which models; one row for each combination.
CREATE TABLE origin(number INTEGER PRIMARY KEY, account TEXT, worker TEXT, models TEXT, seal BLOB);
CREATE UNIQUE INDEX origin_key ON origin(account, worker, models);
-- kind 0: a game. kind 1: a drop, whose bytes are the sequence numbers taken back.
CREATE TABLE log(sequence INTEGER PRIMARY KEY, kind INTEGER, id BLOB, origin INTEGER,
  positions INTEGER, time INTEGER, bytes BLOB, seal BLOB);
-- Every id that was ever stored, with a digest of its game's bytes.
CREATE TABLE known(id BLOB PRIMARY KEY, sequence INTEGER, content BLOB, seal BLOB) WITHOUT ROWID;
CREATE TABLE adjourned(id BLOB PRIMARY KEY, origin INTEGER, positions INTEGER, time INTEGER,
  lent_to TEXT, lent_until INTEGER, bytes BLOB, seal BLOB);
CREATE TABLE quarantine(number INTEGER PRIMARY KEY, time INTEGER, id BLOB, origin INTEGER,
  content BLOB, reason TEXT, bytes BLOB, seal BLOB);
CREATE INDEX quarantine_content ON quarantine(content);
CREATE TABLE model(number INTEGER PRIMARY KEY, id TEXT UNIQUE, bytes INTEGER, step INTEGER,
  parent TEXT, account TEXT, made INTEGER, signature BLOB, seal BLOB);
-- All champions there ever were; the one with the greatest version reigns.
CREATE TABLE champion(version INTEGER PRIMARY KEY, model TEXT, match INTEGER, time INTEGER,
  seal BLOB);
CREATE TABLE match(number INTEGER PRIMARY KEY, candidate TEXT, champion TEXT, slots INTEGER,
  open INTEGER, time INTEGER, settings TEXT, verdict TEXT, seal BLOB);
-- A slot that was lent or reported.
CREATE TABLE slot(match INTEGER, slot INTEGER, reported INTEGER, account TEXT, lent_until INTEGER,
  result TEXT, seal BLOB, PRIMARY KEY(match, slot)) WITHOUT ROWID;
)";

constexpr Migration kMigrations[] = {[](Database& database) { database.run(kVersion1); }};

void set_version(Database& database, std::size_t version) {
  database.run(("PRAGMA user_version = " + std::to_string(version)).c_str());
}

[[noreturn]] void refuse(Database& database, const std::string& why) {
  throw Error(database.file().string() + ": " + why);
}

void make(Database& database, const Identity& identity, std::span<const Migration> steps) {
  database.run(
      "PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL; "
      "PRAGMA journal_mode = WAL;");
  Transaction transaction(database, Transaction::Kind::write);
  for (const Migration step : steps) step(database);
  set_version(database, steps.size());
  database.run(("PRAGMA application_id = " + std::to_string(kApplication)).c_str());
  write_sealed(database, "identity",
               {std::int64_t{1}, identity.game, number_value(identity.rules), identity.plugin});
  write_ledger(database, {});
  transaction.commit();
}

void bring_up_to_date(Database& database, std::span<const Migration> steps) {
  for (std::size_t version = std::size_t(database.number("PRAGMA user_version"));
       version < steps.size(); ++version) {
    Transaction transaction(database, Transaction::Kind::write);
    steps[version](database);
    set_version(database, version + 1);
    transaction.commit();
  }
}

void check_same(Database& database, const Identity& wanted) {
  const Identity held = read_identity(database);
  if (held.game != wanted.game)
    refuse(database, "it holds games of " + held.game + ", not of " + wanted.game + ".");
  if (held.rules != wanted.rules)
    refuse(database, "its games were played by other rules of " + held.game +
                         "; take another file, or the plugin that it was made with.");
}

}  // namespace

std::span<const Migration> migrations() { return kMigrations; }

FileState file_state(Database& database, std::span<const Migration> steps) {
  const std::int64_t application = database.number("PRAGMA application_id");
  const std::int64_t version = database.number("PRAGMA user_version");
  // A process that was killed while it made the file leaves one without tables.
  if (application == 0 && version == 0 &&
      database.number("SELECT count(*) FROM sqlite_schema") == 0)
    return FileState::fresh;
  if (application != kApplication) refuse(database, "it is a database of another program.");
  if (version > std::int64_t(steps.size()))
    refuse(database, "it was written by a newer Tabula (its schema is " + std::to_string(version) +
                         ", this program knows " + std::to_string(steps.size()) +
                         "); update this program.");
  return version < std::int64_t(steps.size()) ? FileState::older : FileState::current;
}

void prepare(Database& database, const std::optional<Identity>& identity,
             std::span<const Migration> steps) {
  const FileState state = file_state(database, steps);
  if (state == FileState::fresh) {
    if (!identity) refuse(database, "there are no games there yet, and nobody said which game.");
    make(database, *identity, steps);
  }
  if (state == FileState::older) bring_up_to_date(database, steps);
  if (state != FileState::fresh && identity) check_same(database, *identity);
}

Identity read_identity(Database& database) {
  Query row(database, "SELECT * FROM identity");
  if (!row.next())
    throw Damaged(database.file().string() +
                  ": it does not say whose games it holds; 'tabula db check' says more.");
  require_sound(database, row, "identity");
  return {row.text(1), row.count(2), row.text(3)};
}

}  // namespace tabula
