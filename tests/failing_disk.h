// SQLite's own access to files, with a disk that fails when it is told to.
#pragma once
#include <sqlite3.h>

#include <cstring>

namespace tabula {

// While one lives, every database that is opened is on it. Nothing is really flushed: these tests
// pull no plugs, and thousands of them fit into seconds.
class FailingDisk {
 public:
  enum class Fault {
    full,      // writes stop in the middle, from now until there is room again
    io_error,  // one write fails
    flush,     // one flush fails
    shared,    // the index of the write-ahead log cannot grow
    truncate,  // one file cannot be cut
  };

  FailingDisk() {
    vfs_ = *sqlite3_vfs_find(nullptr);
    vfs_.zName = "failing";
    vfs_.xOpen = open;
    system_ = sqlite3_vfs_find(nullptr);
    sqlite3_vfs_register(&vfs_, 1);
    left_ = 0;
  }
  ~FailingDisk() { sqlite3_vfs_unregister(&vfs_); }
  FailingDisk(const FailingDisk&) = delete;
  FailingDisk& operator=(const FailingDisk&) = delete;

  // The k-th call from now that can have this fault has it.
  void arm(Fault fault, long k) {
    fault_ = fault;
    left_ = k;
    fired_ = full_ = false;
  }
  void mend() {
    left_ = 0;
    full_ = false;
  }
  bool fired() const { return fired_; }

 private:
  static bool fails(Fault fault) {
    if (full_ && fault == Fault::full) return true;
    if (fault != fault_ || left_ == 0 || --left_ > 0) return false;
    fired_ = true;
    full_ = fault == Fault::full;
    return true;
  }

  static int open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out) {
    const int code = system_->xOpen(system_, name, file, flags, out);
    if (!file->pMethods) return code;
    const bool database = file->pMethods->xShmMap != nullptr;  // others have a table of their own
    sqlite3_io_methods& methods = database ? database_ : other_;
    if (database) original_ = file->pMethods;
    write_ = file->pMethods->xWrite;  // the same for all
    truncate_ = file->pMethods->xTruncate;
    methods = *file->pMethods;
    methods.xWrite = write;
    methods.xSync = sync;
    methods.xTruncate = truncate;
    if (database) methods.xShmMap = map_shared;
    file->pMethods = &methods;
    return code;
  }
  static int write(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 at) {
    if (fails(Fault::io_error)) return SQLITE_IOERR_WRITE;
    if (!fails(Fault::full)) return write_(file, bytes, size, at);
    write_(file, bytes, size / 2, at);
    return SQLITE_FULL;
  }
  static int sync(sqlite3_file*, int) {
    return fails(Fault::flush) ? SQLITE_IOERR_FSYNC : SQLITE_OK;
  }
  static int truncate(sqlite3_file* file, sqlite3_int64 size) {
    return fails(Fault::truncate) ? SQLITE_IOERR_TRUNCATE : truncate_(file, size);
  }
  static int map_shared(sqlite3_file* file, int page, int size, int extend, void volatile** out) {
    if (extend && fails(Fault::shared)) return SQLITE_IOERR_SHMSIZE;
    return original_->xShmMap(file, page, size, extend, out);
  }

  sqlite3_vfs vfs_;
  inline static sqlite3_vfs* system_ = nullptr;
  inline static const sqlite3_io_methods* original_ = nullptr;
  inline static sqlite3_io_methods database_, other_;
  inline static decltype(sqlite3_io_methods::xWrite) write_ = nullptr;
  inline static decltype(sqlite3_io_methods::xTruncate) truncate_ = nullptr;
  inline static Fault fault_ = Fault::full;
  inline static long left_ = 0;
  inline static bool fired_ = false, full_ = false;
};

}  // namespace tabula
