// SQLite as objects: whatever fails throws, whatever was begun ends.
#pragma once
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/digest.h"

struct sqlite3;
struct sqlite3_stmt;

namespace tabula {

struct Blob {
  std::string_view bytes;
  const Digest* digest = nullptr;  // of the bytes, if somebody knows it
};
using Value = std::variant<std::int64_t, std::string_view, Blob>;

inline Value number_value(std::uint64_t number) { return std::int64_t(number); }

// A connection, for one thread. After a failed flush every use throws FlushFailed.
class Database {
 public:
  enum class Mode { read, write };
  Database(const std::filesystem::path& file, Mode mode);
  Database();  // an empty one in memory
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void run(const char* sql);             // any number of statements
  std::int64_t number(const char* sql);  // the one that it results in
  bool in_transaction() const;

  // Moves what is in the write-ahead log into the file, as far as readers allow.
  void checkpoint();
  std::uint64_t log_bytes();  // of that log, as far as it is not moved yet
  void adopt_log();           // counts what an earlier process left

  // Throws what an error of SQLite means to a user.
  [[noreturn]] void fail(int code);
  void check(int code) {
    if (code != 0) fail(code);
  }
  const std::filesystem::path& file() const { return file_; }
  sqlite3* handle() { return handle_; }

 private:
  friend class Query;
  void open(const std::string& name, int flags);
  sqlite3_stmt* prepared(std::string_view sql);  // kept: preparing takes longer than running
  void roll_back() noexcept;
  friend class Transaction;

  std::filesystem::path file_;
  sqlite3* handle_ = nullptr;
  std::map<std::string, sqlite3_stmt*, std::less<>> prepared_;
  std::uint64_t frames_ = 0, moved_ = 0;  // of the write-ahead log, until it starts anew
  std::string flush_failure_;             // why nothing can be trusted any more
};

// One use of a statement: the same text must not be in use twice at a time. What is bound must live
// as long.
class Query {
 public:
  Query(Database& database, std::string_view sql, std::initializer_list<Value> values = {});
  ~Query();
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  void bind(std::span<const Value> values);  // those after the ones that are bound
  bool next();                               // is there another row?
  void run() { next(); }                     // for statements without rows

  // Columns of the row, until the next one.
  int columns() const;
  Value value(int column) const;  // a null is a blob of nothing
  std::int64_t number(int column) const;
  std::uint64_t count(int column) const { return std::uint64_t(number(column)); }
  std::string text(int column) const { return std::string(bytes(column)); }
  std::string_view bytes(int column) const;

 private:
  Database& database_;
  sqlite3_stmt* statement_;
  int bound_ = 0;
};

// Undone at its end unless it was committed. One that only reads sees one moment.
class Transaction {
 public:
  enum class Kind { read, write };
  Transaction(Database& database, Kind kind);
  ~Transaction() { database_.roll_back(); }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  void commit();

 private:
  Database& database_;
};

}  // namespace tabula
