// Looks at every byte of a store.
#include <map>

#include "core/store/errors.h"
#include "core/store/ledger.h"
#include "core/store/reader_impl.h"
#include "core/store/schema.h"
#include "core/store/seal.h"

namespace tabula {
namespace {

constexpr std::size_t kMostNamed = 100;  // faults of one kind; the rest are counted

// Sentences about one kind of fault.
class Faults {
 public:
  explicit Faults(std::vector<std::string>& said) : said_(said) {}
  ~Faults() {
    if (count_ > kMostNamed)
      said_.push_back("And " + std::to_string(count_ - kMostNamed) + " more of that kind.");
  }
  void add(const std::string& sentence) {
    if (++count_ <= kMostNamed) said_.push_back(sentence);
  }

 private:
  std::vector<std::string>& said_;
  std::size_t count_ = 0;
};

void check_structure(Database& database, std::vector<std::string>& said) {
  Faults faults(said);
  Query row(database, "PRAGMA integrity_check(1000)");
  while (row.next())
    if (row.bytes(0) != "ok") faults.add("The file's structure is damaged: " + row.text(0) + ".");
}

std::string schema_of(Database& database) {
  std::string text;
  Query row(database, "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name");
  while (row.next())
    for (int column = 0; column < 4; ++column) text += row.text(column) + "\n";
  return text;
}

void check_schema(Database& database, std::vector<std::string>& said) {
  Database fresh;
  for (const Migration step : migrations()) step(fresh);
  if (schema_of(database) != schema_of(fresh))
    said.push_back("The tables are not declared as this program declares them.");
}

void check_seals(Database& database, const std::string& table, std::vector<std::string>& said) {
  Faults faults(said);
  Query row(database, "SELECT * FROM " + table);
  std::uint64_t number = 0;
  while (row.next())
    if (++number; !sound(row, table)) {
      const Value key = row.value(0);
      const auto* key_number = std::get_if<std::int64_t>(&key);
      faults.add("A row of the table " + table + " is damaged: " +
                 (key_number ? "number " + std::to_string(*key_number)
                             : "the one at place " + std::to_string(number)) +
                 ".");
    }
}

void check_equal(std::uint64_t kept, std::int64_t counted, const std::string& what,
                 std::vector<std::string>& said) {
  if (std::int64_t(kept) != counted)
    said.push_back("The totals say " + std::to_string(kept) + " " + what + ", and the rows " +
                   std::to_string(counted) + ".");
}

void check_totals(Database& database, std::vector<std::string>& said) {
  const Ledger ledger = read_ledger(database);
  const Totals& totals = ledger.totals;
  const auto counted = [&](const char* sql) { return database.number(sql); };
  check_equal(totals.games, counted("SELECT count(*) FROM log WHERE kind = 0"), "games", said);
  check_equal(totals.positions, counted("SELECT sum(positions) FROM log WHERE kind = 0"),
              "positions", said);
  check_equal(totals.bytes, counted("SELECT sum(length(bytes)) FROM log WHERE kind = 0"), "bytes",
              said);
  check_equal(totals.seen_games, counted("SELECT count(*) FROM known"), "games ever stored", said);
  check_equal(totals.quarantined, counted("SELECT count(*) FROM quarantine"),
              "records in quarantine", said);
  check_equal(totals.adjourned, counted("SELECT count(*) FROM adjourned"), "adjourned games", said);
  check_equal(ledger.models, counted("SELECT count(*) FROM model"), "models", said);
  check_equal(ledger.champions, counted("SELECT count(*) FROM champion"), "champions", said);
  check_equal(ledger.matches, counted("SELECT count(*) FROM match"), "matches", said);
  if (totals.games + totals.retired + totals.dropped != totals.seen_games)
    said.push_back("The totals do not say where every game went.");
  if (counted("SELECT ifnull(max(sequence), 0) FROM log") > std::int64_t(ledger.head) ||
      counted("SELECT count(*) FROM (SELECT sequence FROM log ORDER BY sequence LIMIT 1) "
              "WHERE sequence <= (SELECT tail FROM ledger)") > 0)
    said.push_back("The log has sequence numbers that were not given.");
}

void check_none(Database& database, const char* sql, const std::string& sentence,
                std::vector<std::string>& said) {
  Faults faults(said);
  Query row(database, sql);
  while (row.next()) faults.add(sentence + " " + row.text(0) + ".");
}

void check_relations(Database& database, std::vector<std::string>& said) {
  check_none(database,
             "SELECT sequence FROM log WHERE kind = 0 AND NOT EXISTS (SELECT 1 FROM known WHERE "
             "known.id = log.id AND known.sequence = log.sequence)",
             "A game's id is not known: the one with sequence number", said);
  check_none(database, "SELECT sequence FROM known WHERE sequence > (SELECT head FROM ledger)",
             "An id is known for a sequence number that was not given:", said);
  check_none(
      database,
      "SELECT sequence FROM log WHERE kind = 0 AND origin NOT IN (SELECT number FROM origin)",
      "It is not known who made the game with sequence number", said);
  check_none(database,
             "SELECT number FROM quarantine WHERE origin NOT IN (SELECT number FROM origin)",
             "It is not known who sent the record in quarantine with number", said);
  check_none(database, "SELECT model FROM champion WHERE model NOT IN (SELECT id FROM model)",
             "There is no row for a model that is or was champion:", said);
}

}  // namespace

std::vector<std::string> Reader::check() const {
  Database& database = impl_->database;
  const Transaction moment(database, Transaction::Kind::read);
  std::vector<std::string> said;
  const auto guarded = [&](const std::string& what, auto act) {
    try {
      act();
    } catch (const Damaged&) {
      said.push_back("The file is damaged: " + what + " cannot be read to the end.");
    }
  };
  guarded("its structure", [&] { check_structure(database, said); });
  guarded("how its tables are declared", [&] { check_schema(database, said); });
  guarded("whose games it holds", [&] { read_identity(database); });
  for (const char* table : {"identity", "ledger", "origin", "log", "known", "adjourned",
                            "quarantine", "model", "champion", "match", "slot"})
    guarded(std::string("the table ") + table, [&] { check_seals(database, table, said); });
  guarded("what the totals count", [&] { check_totals(database, said); });
  guarded("what the rows refer to", [&] { check_relations(database, said); });
  return said;
}

}  // namespace tabula
