// Where a store listens, and what it keeps, as people write it.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "core/data/rows.h"

namespace tabula {

// A socket file that belongs to this database and this user, with a path short enough for one.
std::string ipc_address(const std::filesystem::path& database);
// That one, and this machine's port of Tabula.
std::vector<std::string> default_addresses(const std::filesystem::path& database);

// "all", "2000000" positions, or "10GB" (also KB, MB, TB: powers of 1000). Throws Error.
Keep parse_keep(const std::string& text);

}  // namespace tabula
