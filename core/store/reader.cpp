#include "core/store/reader.h"

#include <algorithm>

#include "core/store/drop_list.h"
#include "core/store/errors.h"
#include "core/store/ledger.h"
#include "core/store/reader_impl.h"
#include "core/store/schema.h"
#include "core/store/seal.h"

namespace tabula {
namespace {

constexpr std::uint64_t kMostPassed = 4096;  // unreadable numbers in one call

LogEntry entry_in(const Query& row) {
  LogEntry entry;
  entry.sequence = row.count(0);
  entry.kind = row.number(1) == 0 ? LogEntry::Kind::game : LogEntry::Kind::drop;
  if (entry.kind == LogEntry::Kind::drop) {
    entry.dropped = dropped_in(row.bytes(6));
    return entry;
  }
  const std::string_view id = row.bytes(2);
  std::copy_n(id.begin(), std::min(id.size(), entry.id.size()), entry.id.begin());
  entry.bytes = row.text(6);
  return entry;
}

// Adds rows after page.next, until there are no more or enough. False: no more.
bool add_entries(Database& database, LogPage& page, std::size_t& room) {
  Query row(database, "SELECT * FROM log WHERE sequence > ? ORDER BY sequence",
            {number_value(page.next)});
  while (row.next()) {
    const std::size_t size = row.bytes(6).size();
    if ((size > room && !page.entries.empty()) || page.entries.size() == kMaxEntries) return true;
    if (sound(row, "log")) {
      page.entries.push_back(entry_in(row));
      page.next = page.entries.back().sequence;
    } else {
      ++page.damaged;
      ++page.next;  // its own number may be what is damaged
    }
    room -= std::min(room, size);
    if (room == 0) return true;
  }
  return false;
}

}  // namespace

Reader::Impl::Impl(const std::filesystem::path& file) : database(file, Database::Mode::read) {
  if (file_state(database, migrations()) != FileState::current)
    throw Error(file.string() + ": nobody has made or updated it yet; open it with 'replay --db " +
                file.string() + " --game NAME' once.");
}

Reader::Reader(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) throw Error(file.string() + ": there is no such file.");
  impl_ = std::make_unique<Impl>(file);
}
Reader::~Reader() = default;
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;

Identity Reader::identity() const { return read_identity(impl_->database); }

Totals Reader::totals() const { return read_ledger(impl_->database).totals; }

std::uint64_t Reader::head() const { return read_ledger(impl_->database).head; }

LogPage Reader::read(std::uint64_t after, std::size_t max_bytes) const {
  Database& database = impl_->database;
  const Transaction moment(database, Transaction::Kind::read);
  const Ledger ledger = read_ledger(database);
  LogPage page;
  page.head = ledger.head;
  page.next = std::max(after, ledger.tail);
  page.missed = page.next - after;
  for (std::uint64_t passed = 0; passed < kMostPassed; ++passed) try {
      if (!add_entries(database, page, max_bytes)) page.next = std::max(page.next, page.head);
      return page;
    } catch (const Damaged&) {
      // A page of the file cannot be read: on with the first row behind it.
      if (page.next >= page.head) return page;
      ++page.next;
      ++page.damaged;
    }
  return page;
}

}  // namespace tabula
