#include <sqlite3.h>

#include "core/base/error.h"
#include "core/store/durable.h"
#include "core/store/reader_impl.h"

namespace tabula {

// In one step, under one read lock: writers go on meanwhile, in the log.
void Reader::backup(const std::filesystem::path& to) const {
  Database& from = impl_->database;
  if (std::filesystem::exists(to))
    throw Error(to.string() + ": it is there already, and a backup replaces nothing.");
  const std::filesystem::path part = to.string() + ".part";
  std::filesystem::remove(part);
  try {
    Database copy(part, Database::Mode::write);
    sqlite3_backup* backup = sqlite3_backup_init(copy.handle(), "main", from.handle(), "main");
    if (!backup) copy.fail(sqlite3_extended_errcode(copy.handle()));
    sqlite3_backup_step(backup, -1);
    copy.check(sqlite3_backup_finish(backup));
  } catch (...) {
    std::filesystem::remove(part);
    throw;
  }
  flush_file(part);
  rename_durably(part, to);
}

}  // namespace tabula
