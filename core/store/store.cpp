#include "core/store/store.h"

#include <ctime>

#include "core/base/die_at.h"
#include "core/base/digest.h"
#include "core/store/durable.h"
#include "core/store/store_impl.h"

namespace tabula {

constexpr int kAttempts = 50;  // to have all readers at rest, of a tenth of a second each

std::int64_t now_seconds() { return std::int64_t(std::time(nullptr)); }

// What an earlier process wrote may be in the system's memory only, after a flush that failed or
// was never asked for. Before anybody is told that it is stored, it is written once more.
static void move_old_log(Database& database) {
  database.adopt_log();
  for (int attempt = 0; database.log_bytes() > 0; ++attempt) {
    if (attempt == kAttempts)
      throw Error(database.file().string() +
                  ": somebody keeps reading it; end that and try again.");
    database.checkpoint();
  }
}

Store::Impl::Impl(const std::filesystem::path& file, const std::optional<Identity>& wanted)
    : database(file, Database::Mode::write) {
  prepare(database, wanted, migrations());
  flush_folder_of(std::filesystem::absolute(file));  // SQLite does not say when it fails to
  move_old_log(database);
  identity = read_identity(database);
  ledger = read_ledger(database);
}

Store::Impl::Change::Change(Impl& impl)
    : ledger(impl.ledger), impl_(impl), transaction_(impl.database, Transaction::Kind::write) {
  die_at("store.begin");
}

Store::Impl::Change::~Change() {
  if (!committed_) impl_.origins.clear();  // some may be in nobody's table
}

void Store::Impl::Change::commit() {
  write_ledger(impl_.database, ledger);
  die_at("store.before-commit");
  transaction_.commit();
  committed_ = true;
  impl_.ledger = ledger;
  die_at("store.committed");
}

Store::Store(const std::filesystem::path& file, const std::optional<Identity>& identity) {
  if (!identity && !std::filesystem::exists(file))
    throw Error(file.string() + ": there is no such file.");
  impl_ = std::make_unique<Impl>(file, identity);
}

Store::~Store() = default;  // SQLite moves the log into the file when it closes

const Identity& Store::identity() const { return impl_->identity; }

void Store::checkpoint() { impl_->database.checkpoint(); }

std::uint64_t Store::log_bytes() const { return impl_->database.log_bytes(); }

}  // namespace tabula
