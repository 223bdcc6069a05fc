#include "core/store/sqlite.h"

#include <sqlite3.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <system_error>

#include "core/base/die_at.h"
#include "core/store/errors.h"

namespace tabula {
namespace {

namespace fs = std::filesystem;

constexpr int kPatience = 5000;           // milliseconds for somebody else's lock
constexpr int kCheckpointPatience = 100;  // for readers, while nothing can be written
constexpr std::uint64_t kFrameHeader = 24;

bool no_room(int code) { return code == ENOSPC || code == EDQUOT || code == EFBIG; }

int remember_frames(void* into, sqlite3*, const char*, int frames) {
  *static_cast<std::uint64_t*>(into) = std::uint64_t(frames);
  return SQLITE_OK;
}

// What every connection wants: errors instead of signals, no trust in what a file says.
constexpr const char* kSettings =
    "PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0; PRAGMA trusted_schema = OFF;"
    "PRAGMA cell_size_check = ON;";
// One connection writes and checkpoints, when it is told to. What is deleted need not be wiped.
constexpr const char* kWriterSettings =
    "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA secure_delete = OFF;"
    "PRAGMA cache_size = -65536; PRAGMA journal_size_limit = 67108864;";

}  // namespace

void Database::open(const std::string& name, int flags) try {
  check(sqlite3_open_v2(name.c_str(), &handle_, flags | SQLITE_OPEN_NOMUTEX, nullptr));
  sqlite3_extended_result_codes(handle_, 1);
  sqlite3_busy_timeout(handle_, kPatience);
  run(kSettings);
  if (flags & SQLITE_OPEN_READONLY)
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  else
    run(kWriterSettings);
  sqlite3_wal_hook(handle_, remember_frames, &frames_);
} catch (...) {
  sqlite3_close(handle_);
  throw;
}

// An absolute path is never taken for one of SQLite's special names.
Database::Database(const fs::path& file, Mode mode) : file_(file) {
  open(fs::absolute(file).string(),
       mode == Mode::read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
}

Database::Database() : file_("(memory)") { open(":memory:", SQLITE_OPEN_READWRITE); }

Database::~Database() {
  for (const auto& [sql, statement] : prepared_) sqlite3_finalize(statement);
  // Closing would move a log into the file that may not be what the disk holds.
  if (!flush_failure_.empty())
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  sqlite3_close(handle_);
}

void Database::run(const char* sql) {
  if (!flush_failure_.empty()) throw FlushFailed(flush_failure_);
  errno = 0;  // here, and below: see fail()
  check(sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr));
}

std::int64_t Database::number(const char* sql) {
  Query query(*this, sql);
  return query.next() ? query.number(0) : 0;
}

bool Database::in_transaction() const { return sqlite3_get_autocommit(handle_) == 0; }

void Database::roll_back() noexcept {
  if (in_transaction()) sqlite3_exec(handle_, "ROLLBACK", nullptr, nullptr, nullptr);
}

sqlite3_stmt* Database::prepared(std::string_view sql) {
  if (!flush_failure_.empty()) throw FlushFailed(flush_failure_);
  if (const auto found = prepared_.find(sql); found != prepared_.end()) return found->second;
  sqlite3_stmt* statement = nullptr;
  check(sqlite3_prepare_v3(handle_, sql.data(), int(sql.size()), SQLITE_PREPARE_PERSISTENT,
                           &statement, nullptr));
  return prepared_[std::string(sql)] = statement;
}

std::uint64_t Database::log_bytes() {
  const std::uint64_t left = frames_ < moved_ ? frames_ : frames_ - moved_;
  return left * (std::uint64_t(number("PRAGMA page_size")) + kFrameHeader);
}

void Database::adopt_log() {
  std::error_code none;
  const std::uintmax_t size = fs::file_size(file_.string() + "-wal", none);
  if (!none) frames_ = size / (std::uint64_t(number("PRAGMA page_size")) + kFrameHeader);
}

void Database::checkpoint() {
  if (!flush_failure_.empty()) throw FlushFailed(flush_failure_);
  die_at("store.before-checkpoint");
  sqlite3_busy_timeout(handle_, kCheckpointPatience);
  int frames = 0, moved = 0;
  errno = 0;
  const int code =
      sqlite3_wal_checkpoint_v2(handle_, nullptr, SQLITE_CHECKPOINT_RESTART, &frames, &moved);
  sqlite3_busy_timeout(handle_, kPatience);
  if (code != SQLITE_BUSY) check(code);
  frames_ = code == SQLITE_OK ? 0 : std::uint64_t(std::max(frames, 0));
  moved_ = code == SQLITE_OK ? 0 : std::uint64_t(std::max(moved, 0));
  die_at("store.checkpointed");
}

// SQLite keeps no reason of the system for a COMMIT that fails, or an old one.
void Database::fail(int code) {
  const int last = errno;
  const std::string file = file_.string() + ": ";
  const std::string said = handle_ ? sqlite3_errmsg(handle_) : sqlite3_errstr(code);
  const int system = last || !handle_ ? last : sqlite3_system_errno(handle_);
  if (code == SQLITE_IOERR_FSYNC || code == SQLITE_IOERR_DIR_FSYNC) {
    flush_failure_ = file +
                     "the disk failed to take what was written, and nobody knows what it "
                     "holds now; look after the disk, then start again.";
    throw FlushFailed(flush_failure_);
  }
  switch (code & 0xff) {
    case SQLITE_FULL:
      throw DiskFull(file + "the disk is full; make room, and it goes on.");
    case SQLITE_IOERR:
      if (no_room(system)) throw DiskFull(file + "the disk is full; make room, and it goes on.");
      throw Error(file + "the disk failed: " +
                  (system ? std::generic_category().message(system) : said) + ".");
    case SQLITE_CORRUPT:
      throw Damaged(file + "it is damaged (" + said + "); 'tabula db check' says where.");
    case SQLITE_NOTADB:
      throw Damaged(file + "it is no database; if it was one, 'tabula db check' says more.");
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
      throw Error(file +
                  "cannot open it, or the files beside it (-wal, -shm), which also a reader "
                  "needs permission to write.");
    case SQLITE_BUSY:
      throw Error(file + "somebody else is using it.");
    default:
      throw Error(file + said + ".");
  }
}

Query::Query(Database& database, std::string_view sql, std::initializer_list<Value> values)
    : database_(database), statement_(database.prepared(sql)) {
  assert(!sqlite3_stmt_busy(statement_));
  bind({values.begin(), values.size()});
}

Query::~Query() {
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

void Query::bind(std::span<const Value> values) {
  for (const Value& value : values) {
    const int at = ++bound_;
    int code = 0;
    if (const auto* number = std::get_if<std::int64_t>(&value))
      code = sqlite3_bind_int64(statement_, at, *number);
    else if (const auto* text = std::get_if<std::string_view>(&value))
      code = sqlite3_bind_text64(statement_, at, text->data() ? text->data() : "", text->size(),
                                 SQLITE_STATIC, SQLITE_UTF8);
    else if (const std::string_view blob = std::get<Blob>(value).bytes; blob.empty())
      code = sqlite3_bind_zeroblob(statement_, at, 0);
    else
      code = sqlite3_bind_blob64(statement_, at, blob.data(), blob.size(), SQLITE_STATIC);
    database_.check(code);
  }
}

bool Query::next() {
  errno = 0;
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) database_.fail(code);
  return false;
}

int Query::columns() const { return sqlite3_data_count(statement_); }

std::int64_t Query::number(int column) const { return sqlite3_column_int64(statement_, column); }

std::string_view Query::bytes(int column) const {
  const void* data = sqlite3_column_blob(statement_, column);
  const int size = sqlite3_column_bytes(statement_, column);
  return data ? std::string_view(static_cast<const char*>(data), std::size_t(size))
              : std::string_view();
}

Value Query::value(int column) const {
  switch (sqlite3_column_type(statement_, column)) {
    case SQLITE_INTEGER:
      return number(column);
    case SQLITE_TEXT:
      return bytes(column);
    default:
      return Blob{bytes(column)};
  }
}

Transaction::Transaction(Database& database, Kind kind) : database_(database) {
  assert(!database.in_transaction());
  database_.run(kind == Kind::read ? "BEGIN" : "BEGIN IMMEDIATE");
}

void Transaction::commit() { database_.run("COMMIT"); }

}  // namespace tabula
