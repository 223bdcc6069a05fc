// Matches of a candidate against the champion, in slots that are lent to whoever plays them.
#include <algorithm>

#include "core/base/die_at.h"
#include "core/store/registry_rows.h"
#include "core/store/store_impl.h"

namespace tabula {
namespace {

void write_match(Database& database, const MatchRow& match, std::int64_t time) {
  replace_sealed(
      database, "match",
      {number_value(match.number), match.candidate, match.champion, std::int64_t{match.slots},
       std::int64_t{match.open}, time, match.settings, match.verdict});
}

void write_slot(Database& database, std::uint64_t match, const SlotRow& slot, bool reported,
                std::int64_t until) {
  replace_sealed(database, "slot",
                 {number_value(match), std::int64_t{slot.slot}, std::int64_t{reported},
                  slot.account, until, slot.result});
}

constexpr std::int64_t kLongerLease = 4, kHour = 3600;

// The lowest slot that is neither reported nor lent. One that is lent for far longer than anybody
// would get it now was lent by a clock that has been put back since.
std::optional<std::uint32_t> free_slot(Database& database, const MatchRow& match, std::int64_t now,
                                       std::int64_t until) {
  const std::int64_t latest = now + std::max(kHour, kLongerLease * (until - now));
  Query row(database, "SELECT * FROM slot WHERE match = ? ORDER BY slot",
            {number_value(match.number)});
  std::uint32_t slot = 0;
  for (; row.next(); ++slot) {
    require_sound(database, row, "slot");
    const bool lent = row.number(4) > now && row.number(4) <= latest;
    const bool taken = row.number(2) != 0 || lent;
    if (row.count(1) != slot || !taken) return slot;
  }
  return slot < match.slots ? std::optional(slot) : std::nullopt;
}

}  // namespace

MatchRow match_in(Database& database, const Query& row) {
  require_sound(database, row, "match");
  return {.number = row.count(0),
          .candidate = row.text(1),
          .champion = row.text(2),
          .slots = std::uint32_t(row.count(3)),
          .settings = row.text(6),
          .open = row.number(4) != 0,
          .verdict = row.text(7)};
}

std::optional<MatchRow> read_match(Database& database, std::uint64_t number) {
  Query row(database, "SELECT * FROM match WHERE number = ?", {number_value(number)});
  return row.next() ? std::optional(match_in(database, row)) : std::nullopt;
}

std::uint64_t Store::open_match(const MatchRow& match) {
  Impl::Change change(*impl_);
  MatchRow opened = match;
  opened.number = ++change.ledger.matches;
  opened.open = true;
  opened.verdict.clear();
  write_match(impl_->database, opened, now_seconds());
  change.commit();
  return opened.number;
}

std::optional<std::uint32_t> Store::lend_slot(std::uint64_t match, const std::string& account,
                                              std::int64_t now, std::int64_t until) {
  Impl::Change change(*impl_);
  const std::optional<MatchRow> row = read_match(impl_->database, match);
  if (!row || !row->open) return {};
  const std::optional<std::uint32_t> slot = free_slot(impl_->database, *row, now, until);
  if (!slot) return {};
  write_slot(impl_->database, match, {*slot, "", account}, false, until);
  change.commit();
  return slot;
}

bool Store::report_slot(std::uint64_t match, std::uint32_t slot, const std::string& result,
                        const std::string& account) {
  Impl::Change change(*impl_);
  const std::optional<MatchRow> row = read_match(impl_->database, match);
  if (!row || slot >= row->slots)
    throw Error("match " + std::to_string(match) + " has no slot " + std::to_string(slot) + ".");
  if (Query(impl_->database, "SELECT 1 FROM slot WHERE match = ? AND slot = ? AND reported = 1",
            {number_value(match), std::int64_t{slot}})
          .next())
    return false;
  write_slot(impl_->database, match, {slot, result, account}, true, 0);
  die_at("store.slot");
  change.commit();
  return true;
}

bool Store::decide_match(std::uint64_t match, const std::string& verdict, bool promote) {
  Impl::Change change(*impl_);
  std::optional<MatchRow> row = read_match(impl_->database, match);
  if (!row) throw Error("there is no match " + std::to_string(match) + ".");
  if (!row->open) return false;
  if (promote && read_champion(impl_->database).model != row->champion) return false;
  row->open = false;
  row->verdict = verdict;
  write_match(impl_->database, *row, now_seconds());
  die_at("store.verdict");
  if (promote) impl_->crown(row->candidate, match, change);
  change.commit();
  return true;
}

}  // namespace tabula
