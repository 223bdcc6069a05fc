// What a store has counted, in one row, changed with what it counts.
#pragma once
#include "core/data/rows.h"
#include "core/store/sqlite.h"

namespace tabula {

struct Ledger {
  std::uint64_t head = 0;  // the newest sequence number given
  std::uint64_t tail = 0;  // numbers up to here have retired
  Totals totals;
  std::uint64_t models = 0, champions = 0, matches = 0;  // the greatest numbers given
};

Ledger read_ledger(Database& database);
void write_ledger(Database& database, const Ledger& ledger);

}  // namespace tabula
