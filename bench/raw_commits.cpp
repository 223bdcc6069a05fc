#include "bench/raw_commits.h"

#include <sqlite3.h>

#include "core/base/error.h"

namespace tabula {

struct RawCommits::Impl {
  sqlite3* db = nullptr;
  sqlite3_stmt* insert = nullptr;
  int checkpoints = 0;

  void run(const char* sql) const {
    if (sqlite3_exec(db, sql, nullptr, nullptr, nullptr) != SQLITE_OK)
      throw Error(std::string("the yardstick failed: ") + sqlite3_errmsg(db) + ".");
  }
  ~Impl() {
    sqlite3_finalize(insert);
    sqlite3_close(db);
  }
};

RawCommits::RawCommits(const std::filesystem::path& file) : impl_(std::make_unique<Impl>()) {
  if (sqlite3_open(file.c_str(), &impl_->db) != SQLITE_OK)
    throw Error(file.string() + ": cannot be opened.");
  impl_->run("PRAGMA journal_mode=WAL");
  impl_->run("PRAGMA synchronous=FULL");
  impl_->run("PRAGMA wal_autocheckpoint=4096");  // 16 MiB, as the store does
  impl_->run("CREATE TABLE games(sequence INTEGER PRIMARY KEY, bytes BLOB)");
  sqlite3_prepare_v2(impl_->db, "INSERT INTO games(bytes) VALUES(?)", -1, &impl_->insert, nullptr);
}

RawCommits::~RawCommits() = default;

void RawCommits::commit(const std::string& blob, int times) {
  impl_->run("BEGIN IMMEDIATE");
  for (int i = 0; i < times; ++i) {
    sqlite3_bind_blob(impl_->insert, 1, blob.data(), int(blob.size()), SQLITE_STATIC);
    if (sqlite3_step(impl_->insert) != SQLITE_DONE) throw Error("the yardstick failed to write.");
    sqlite3_reset(impl_->insert);
  }
  impl_->run("COMMIT");
}

}  // namespace tabula
