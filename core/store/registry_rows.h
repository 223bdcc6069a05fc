#pragma once
#include <optional>

#include "core/data/rows.h"
#include "core/store/sqlite.h"

// Rows that both the writer and readers read. A damaged one throws Error.
namespace tabula {

Champion read_champion(Database& database);
std::optional<MatchRow> read_match(Database& database, std::uint64_t number);
MatchRow match_in(Database& database, const Query& row);

}  // namespace tabula
