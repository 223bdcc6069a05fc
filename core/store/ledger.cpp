#include "core/store/ledger.h"

#include "core/store/errors.h"
#include "core/store/seal.h"

namespace tabula {

Ledger read_ledger(Database& database) {
  Query row(database, "SELECT * FROM ledger");
  if (!row.next())
    throw Damaged(database.file().string() +
                  ": the row of totals is missing; 'tabula db check' says more.");
  require_sound(database, row, "ledger");
  return {.head = row.count(1),
          .tail = row.count(2),
          .totals = {.games = row.count(3),
                     .positions = row.count(4),
                     .bytes = row.count(5),
                     .seen_games = row.count(6),
                     .seen_positions = row.count(7),
                     .quarantined = row.count(8),
                     .dropped = row.count(9),
                     .retired = row.count(10),
                     .adjourned = row.count(11),
                     .abandoned = row.count(12)},
          .models = row.count(13),
          .champions = row.count(14),
          .matches = row.count(15)};
}

void write_ledger(Database& database, const Ledger& ledger) {
  const Totals& t = ledger.totals;
  replace_sealed(
      database, "ledger",
      {std::int64_t{1}, number_value(ledger.head), number_value(ledger.tail), number_value(t.games),
       number_value(t.positions), number_value(t.bytes), number_value(t.seen_games),
       number_value(t.seen_positions), number_value(t.quarantined), number_value(t.dropped),
       number_value(t.retired), number_value(t.adjourned), number_value(t.abandoned),
       number_value(ledger.models), number_value(ledger.champions), number_value(ledger.matches)});
}

}  // namespace tabula
