// The tables of a store, and how an older file is brought up to date.
#pragma once
#include <optional>

#include "core/data/rows.h"
#include "core/store/sqlite.h"

namespace tabula {

// "TABU" in a SQLite file's header: whose file it is.
constexpr std::int64_t kApplication = 0x54414255;

// Step n brings a file of version n to version n + 1; each is one transaction. A step that was
// released is never changed.
using Migration = void (*)(Database&);
std::span<const Migration> migrations();

// What a file is. Throws Error, one sentence, for a foreign file or one of a newer version.
enum class FileState { fresh, older, current };
FileState file_state(Database& database, std::span<const Migration> steps);

// A fresh file gets all tables and this identity, in one transaction; an older one all steps that
// it lacks. Throws Error as above, or if a fresh file has no identity or another file another one.
void prepare(Database& database, const std::optional<Identity>& identity,
             std::span<const Migration> steps);

Identity read_identity(Database& database);

}  // namespace tabula
