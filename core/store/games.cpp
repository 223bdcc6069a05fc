// Games come in.
#include <algorithm>

#include "core/base/clock.h"
#include "core/base/die_at.h"
#include "core/base/digest.h"
#include "core/store/store_impl.h"

namespace tabula {
namespace {

constexpr std::size_t kMostOrigins = 1 << 16;  // remembered; the table has them all

std::string joined_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : "\n") + line;
  return text;
}

}  // namespace

std::int64_t Store::Impl::origin(const std::string& account, const std::string& worker,
                                 const std::vector<std::string>& models) {
  const std::string list = joined_lines(models);
  const std::string key = account + '\0' + worker + '\0' + list;
  if (const auto found = origins.find(key); found != origins.end()) return found->second;
  if (origins.size() >= kMostOrigins) origins.clear();
  {
    Query row(database, "SELECT number FROM origin WHERE account = ? AND worker = ? AND models = ?",
              {account, worker, list});
    if (row.next()) return origins[key] = row.number(0);
  }
  const std::int64_t number = database.number("SELECT ifnull(max(number), 0) + 1 FROM origin");
  write_sealed(database, "origin", {number, account, worker, list});
  return origins[key] = number;
}

// requires: the digest of the bytes is known
void Store::Impl::quarantine_row(const GameId& id, std::int64_t origin, const std::string& reason,
                                 const Blob& bytes, Change& change) {
  const Seal content = shortened(*bytes.digest);
  const std::int64_t number = database.number("SELECT ifnull(max(number), 0) + 1 FROM quarantine");
  write_sealed(database, "quarantine",
               {number, now_seconds(), Blob{view(id)}, origin, Blob{view(content)}, reason, bytes});
  die_at("store.quarantine");
  ++change.ledger.totals.quarantined;
}

// The same bytes may come again, when the answer was lost: they are kept once.
Receipt Store::Impl::quarantine(const Arrival& arrival, const Digest& content,
                                const std::string& reason, Change& change) {
  const Seal key = shortened(content);
  Query held(database, "SELECT 1 FROM quarantine WHERE content = ? AND id = ?",
             {Blob{view(key)}, Blob{view(arrival.id)}});
  if (!held.next())
    quarantine_row(arrival.id, origin(arrival.account, arrival.worker, arrival.models), reason,
                   {arrival.bytes, &content}, change);
  return {Fate::refused};
}

bool Store::Impl::forget_adjourned(const GameId& id, Change& change) {
  Query gone(database, "DELETE FROM adjourned WHERE id = ? RETURNING 1", {Blob{view(id)}});
  if (!gone.next()) return false;
  --change.ledger.totals.adjourned;
  return true;
}

Receipt Store::Impl::store_game(const Arrival& game, const Digest& content, Change& change) {
  Totals& totals = change.ledger.totals;
  const std::uint64_t sequence = ++change.ledger.head;
  const Seal key = shortened(content);
  write_sealed(database, "log",
               {number_value(sequence), std::int64_t{0}, Blob{view(game.id)},
                origin(game.account, game.worker, game.models), std::int64_t{game.positions},
                now_seconds(), Blob{game.bytes, &content}});
  die_at("store.insert");
  write_sealed(database, "known", {Blob{view(game.id)}, number_value(sequence), Blob{view(key)}});
  die_at("store.known");
  if (totals.adjourned > 0) forget_adjourned(game.id, change);
  ++totals.games, ++totals.seen_games;
  totals.positions += game.positions, totals.seen_positions += game.positions;
  totals.bytes += game.bytes.size();
  return {Fate::stored, sequence};
}

Receipt Store::Impl::adjourn(const Arrival& game, Change& change) {
  {
    Query held(database, "SELECT positions, length(bytes) FROM adjourned WHERE id = ?",
               {Blob{view(game.id)}});
    const auto further = [&] {
      return std::pair(game.positions, game.bytes.size()) >
             std::pair(std::uint32_t(held.count(0)), std::size_t(held.count(1)));
    };
    if (held.next() && !further()) return {Fate::adjourned};
  }
  forget_adjourned(game.id, change);
  write_sealed(database, "adjourned",
               {Blob{view(game.id)}, origin(game.account, game.worker, game.models),
                std::int64_t{game.positions}, steady_unix_seconds(), std::string_view(),
                std::int64_t{0}, Blob{game.bytes}});
  die_at("store.adjourned");
  ++change.ledger.totals.adjourned;
  return {Fate::adjourned};
}

Receipt Store::Impl::take(const Arrival& arrival, Change& change) {
  const Digest content = digest_of(arrival.bytes);
  if (arrival.kind == Arrival::Kind::refused)
    return quarantine(arrival, content, arrival.reason, change);
  enum { unknown, equal, other, damaged } held = unknown;
  std::uint64_t sequence = 0;
  {
    Query row(database, "SELECT * FROM known WHERE id = ?", {Blob{view(arrival.id)}});
    if (row.next()) {
      held = !sound(row, "known")                       ? damaged
             : row.bytes(2) == view(shortened(content)) ? equal
                                                        : other;
      sequence = row.count(1);
    }
  }
  const bool adjourned = arrival.kind == Arrival::Kind::adjourned;
  if (held == unknown)
    return adjourned ? adjourn(arrival, change) : store_game(arrival, content, change);
  if (held == equal || (held == other && adjourned)) return {Fate::known, sequence};
  return quarantine(arrival, content,
                    held == other ? "a game with this id was stored with other bytes"
                                  : "the row that knows this game's id is damaged",
                    change);
}

std::vector<Receipt> Store::add(std::span<const Arrival> arrivals) {
  Impl::Change change(*impl_);
  std::vector<Receipt> receipts;
  for (const Arrival& arrival : arrivals) receipts.push_back(impl_->take(arrival, change));
  change.commit();  // also where all were known: a flush makes sure that they are
  return receipts;
}

std::optional<AdjournedGame> Store::lend_adjourned(const std::string& account, std::int64_t now,
                                                   std::int64_t until) {
  if (impl_->ledger.totals.adjourned == 0) return {};
  Impl::Change change(*impl_);
  std::optional<AdjournedGame> lent;
  {
    Query row(impl_->database, "SELECT * FROM adjourned WHERE lent_until <= ? ORDER BY time",
              {now});
    std::string bytes;
    while (!lent && row.next()) {
      if (!sound(row, "adjourned")) continue;
      bytes = row.text(6);
      lent.emplace();
      std::copy_n(row.bytes(0).begin(), lent->id.size(), lent->id.begin());
      lent->bytes = bytes;
      replace_sealed(impl_->database, "adjourned",
                     {Blob{view(lent->id)}, row.number(1), row.number(2), row.number(3), account,
                      until, Blob{bytes}});
    }
  }
  if (lent) change.commit();
  return lent;
}

std::uint64_t Store::abandon_adjourned(std::int64_t before) {
  Impl::Change change(*impl_);
  std::uint64_t gone = 0;
  {
    Query query(impl_->database, "DELETE FROM adjourned WHERE time < ? RETURNING 1", {before});
    while (query.next()) ++gone;
  }
  if (gone == 0) return 0;
  change.ledger.totals.adjourned -= gone;
  change.ledger.totals.abandoned += gone;
  change.commit();
  return gone;
}

}  // namespace tabula
