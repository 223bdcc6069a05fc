// Games leave: cut by hand, or because there are newer ones.
#include <algorithm>
#include <set>

#include "core/base/die_at.h"
#include "core/store/drop_list.h"
#include "core/store/store_impl.h"

namespace tabula {
namespace {

// Free pages that stay in the file, for the games that come next.
constexpr std::int64_t kReservePages = 256, kMostFreed = 16384;

bool has_line(std::string_view lines, std::string_view wanted) {
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    if (lines.substr(0, end) == wanted) return true;
    lines = end == lines.npos ? std::string_view() : lines.substr(end + 1);
  }
  return false;
}

std::set<std::int64_t> origins_matching(Database& database, const DropFilter& filter) {
  std::set<std::int64_t> numbers;
  const auto fits = [](const std::string& wanted, std::string_view held) {
    return wanted.empty() || wanted == held;
  };
  Query row(database, "SELECT * FROM origin");
  while (row.next()) {
    require_sound(database, row, "origin");
    if (fits(filter.account, row.bytes(1)) && fits(filter.worker, row.bytes(2)) &&
        (filter.model.empty() || has_line(row.bytes(3), filter.model)))
      numbers.insert(row.number(0));
  }
  return numbers;
}

std::vector<std::uint64_t> games_matching(Database& database, const DropFilter& filter) {
  const std::set<std::int64_t> origins = origins_matching(database, filter);
  std::vector<std::uint64_t> sequences;
  Query row(database, "SELECT sequence, origin, time FROM log WHERE kind = 0");
  while (row.next())
    if (origins.contains(row.number(1)) && row.number(2) >= filter.since &&
        (filter.until == 0 || row.number(2) < filter.until))
      sequences.push_back(row.count(0));
  return sequences;
}

std::uint64_t less(std::uint64_t from, std::uint64_t by) { return from - std::min(from, by); }

bool give_back_pages(Database& database) {
  const std::int64_t free = database.number("PRAGMA freelist_count") - kReservePages;
  if (free <= 0) return false;
  const std::string pages = std::to_string(std::min(free, kMostFreed));
  database.run(("PRAGMA incremental_vacuum(" + pages + ")").c_str());
  return true;
}

}  // namespace

// A row whose bytes are not what was stored stays: nobody reads it, and `tabula db check` shows it.
std::uint64_t Store::drop(const DropFilter& filter, const std::string& reason) {
  Database& database = impl_->database;
  Impl::Change change(*impl_);
  Totals& totals = change.ledger.totals;
  std::vector<std::uint64_t> cut;
  for (const std::uint64_t sequence : games_matching(database, filter)) {
    Query row(database, "SELECT * FROM log WHERE sequence = ?", {number_value(sequence)});
    if (!row.next() || !sound(row, "log")) continue;
    GameId id;
    std::copy_n(row.bytes(2).begin(), id.size(), id.begin());
    const Digest content = digest_of(row.bytes(6));
    impl_->quarantine_row(id, row.number(3), reason, {row.bytes(6), &content}, change);
    totals.positions = less(totals.positions, row.count(4));
    totals.bytes = less(totals.bytes, row.bytes(6).size());
    cut.push_back(sequence);
  }
  if (cut.empty()) return 0;
  for (const std::uint64_t sequence : cut)
    Query(database, "DELETE FROM log WHERE sequence = ?", {number_value(sequence)}).run();
  die_at("store.drop");
  const GameId none{};
  for (std::size_t from = 0; from < cut.size(); from += kMostInDrop) {
    const std::size_t count = std::min(kMostInDrop, cut.size() - from);
    const std::string list = drop_list({cut.data() + from, count});
    write_sealed(database, "log",
                 {number_value(++change.ledger.head), std::int64_t{1}, Blob{view(none)},
                  std::int64_t{0}, std::int64_t{0}, now_seconds(), Blob{list}});
  }
  totals.games = less(totals.games, cut.size());
  totals.dropped += cut.size();
  change.commit();
  return cut.size();
}

std::uint64_t Store::retire(const Keep& keep, std::uint64_t most) {
  Database& database = impl_->database;
  Impl::Change change(*impl_);
  Ledger& ledger = change.ledger;
  std::uint64_t gone = 0;
  {
    Query row(database,
              "SELECT sequence, kind, positions, length(bytes) FROM log ORDER BY sequence");
    const auto too_much = [&] {
      return (keep.positions > 0 && ledger.totals.positions > keep.positions) ||
             (keep.bytes > 0 && ledger.totals.bytes > keep.bytes);
    };
    while (gone < most && too_much() && row.next()) {
      ledger.tail = row.count(0);
      if (row.number(1) != 0) continue;
      ledger.totals.positions = less(ledger.totals.positions, row.count(2));
      ledger.totals.bytes = less(ledger.totals.bytes, row.count(3));
      ++gone;
    }
  }
  if (gone > 0)
    Query(database, "DELETE FROM log WHERE sequence <= ?", {number_value(ledger.tail)}).run();
  die_at("store.retire");
  ledger.totals.games = less(ledger.totals.games, gone);
  ledger.totals.retired += gone;
  if (give_back_pages(database) || gone > 0) change.commit();
  return gone;
}

}  // namespace tabula
