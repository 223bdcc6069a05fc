// Preloaded into a program, writes down in order what it does to the files under $TABULA_DISK, into
// $TABULA_DISK_LOG, as records of disk_log.h; and lets calls fail: TABULA_FAIL=ENOSPC:K:COUNT fails
// the Kth call that changes something there and COUNT - 1 more; with :sync or :write behind it,
// only such calls count. What is written to a file called `marks` is a mark in the log. SQLite's
// -shm file, which a power cut empties, is not written down.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { kFiles = 4096, kPath = 512 };
enum Kind { kNone, kWatched, kShared, kMarks };
enum Op {
  kCreate = 1,
  kTruncate,
  kWrite,
  kSync,
  kRename,
  kUnlink,
  kFolder,
  kSyncFolder,
  kMark,
  kFault
};

struct Record {
  uint32_t op, path_size, to_size, data_size;
  uint64_t file, offset;
};

static struct {
  char path[kPath];
  enum Kind kind;
  uint64_t file;
  int folder;
} files[kFiles];
static const char* watched;
static const char* fail_only = "";
static int log_file = -1, fail_code;
static long fail_first, fail_count;
static atomic_long calls;

#define REAL(name) ((__typeof__(&name))real(#name))
static void* real(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (!found) abort();
  return found;
}

static void read_failure(const char* text) {
  const struct {
    const char* name;
    int code;
  } codes[] = {{"ENOSPC:", ENOSPC}, {"EDQUOT:", EDQUOT}, {"EIO:", EIO}};
  for (unsigned i = 0; i < 3; ++i)
    if (strncmp(text, codes[i].name, strlen(codes[i].name)) == 0) fail_code = codes[i].code;
  const char* first = strchr(text, ':');
  const char* count = first ? strchr(first + 1, ':') : NULL;
  fail_first = first ? atol(first + 1) : 0;
  fail_count = count ? atol(count + 1) : 1;
  const char* only = count ? strchr(count + 1, ':') : NULL;
  fail_only = only ? only + 1 : "";
}

__attribute__((constructor)) static void begin(void) {
  watched = getenv("TABULA_DISK");
  const char* log_path = getenv("TABULA_DISK_LOG");
  if (log_path) log_file = REAL(open)(log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (getenv("TABULA_FAIL")) read_failure(getenv("TABULA_FAIL"));
}

static int ends_with(const char* text, const char* end) {
  const size_t size = strlen(text), end_size = strlen(end);
  return size >= end_size && strcmp(text + size - end_size, end) == 0;
}

static enum Kind kind_of(const char* path) {
  if (!watched || !path || strncmp(path, watched, strlen(watched)) != 0) return kNone;
  if (ends_with(path, "/marks")) return kMarks;
  return ends_with(path, "-shm") ? kShared : kWatched;
}

// One write, so that records of several processes do not mix.
static void note(enum Op op, const char* path, const char* to, uint64_t file, uint64_t offset,
                 const void* data, size_t size) {
  const int kept = errno;
  if (log_file >= 0) {
    struct Record record = {
        op, (uint32_t)strlen(path), (uint32_t)strlen(to), (uint32_t)size, file, offset};
    struct iovec parts[] = {{&record, sizeof record},
                            {(void*)path, record.path_size},
                            {(void*)to, record.to_size},
                            {(void*)data, size}};
    if (writev(log_file, parts, 4) < 0) abort();
  }
  errno = kept;
}

static uint64_t identity(int file) {
  struct stat status;
  return fstat(file, &status) == 0 ? (uint64_t)status.st_ino : 0;
}

// Whether this call is one of those that fail; then errno says why.
static int fails(enum Kind kind, const char* call, const char* path, uint64_t file) {
  if ((kind != kWatched && kind != kShared) || !ends_with(call, fail_only)) return 0;
  const long number = ++calls;
  if (!fail_code || number < fail_first || number >= fail_first + fail_count) return 0;
  note(kFault, call, path, file, (uint64_t)number, "", 0);
  errno = fail_code;
  return 1;
}

// A disk that fills up takes a part of what it is given, before it takes nothing.
static size_t taken(enum Kind kind, size_t size) {
  const int fills = fail_code && fail_code != EIO && fail_first % 2 == 0 && kind != kMarks;
  return fills && calls + 1 == fail_first - 1 && size > 1 ? size / 2 : size;
}

// The system may have closed the file behind our back and given its number to another.
static enum Kind kind_of_file(int file) {
  if (file < 0 || file >= kFiles || files[file].kind == kNone) return kNone;
  if (identity(file) != files[file].file) files[file].kind = kNone;
  return files[file].kind;
}

static int open_watched(const char* path, int flags, mode_t mode) {
  const enum Kind kind = kind_of(path);
  struct stat status;
  const int is_new = kind == kWatched && (flags & O_CREAT) && stat(path, &status) != 0;
  if ((flags & O_CREAT) && fails(kind, "open", path, 0)) return -1;
  const int file = REAL(open)(path, flags, mode);
  if (file < 0 || file >= kFiles) return file;
  files[file].kind = kind;
  if (kind == kNone) return file;
  snprintf(files[file].path, kPath, "%s", path);
  files[file].file = identity(file);
  files[file].folder = fstat(file, &status) == 0 && S_ISDIR(status.st_mode);
  if (is_new) note(kCreate, path, "", files[file].file, 0, "", 0);
  if (kind == kWatched && !is_new && (flags & O_TRUNC))
    note(kTruncate, path, "", files[file].file, 0, "", 0);
  return file;
}

#define OPENED(flags)                    \
  mode_t mode = 0;                       \
  if ((flags) & (O_CREAT | O_TMPFILE)) { \
    va_list rest;                        \
    va_start(rest, flags);               \
    mode = va_arg(rest, mode_t);         \
    va_end(rest);                        \
  }
int open(const char* path, int flags, ...) {
  OPENED(flags)
  return open_watched(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  OPENED(flags)
  return open_watched(path, flags | O_LARGEFILE, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  OPENED(flags)
  return path[0] == '/' || folder == AT_FDCWD ? open_watched(path, flags, mode)
                                              : REAL(openat)(folder, path, flags, mode);
}
int creat(const char* path, mode_t mode) {
  return open_watched(path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

int close(int file) {
  if (file >= 0 && file < kFiles) files[file].kind = kNone;
  return REAL(close)(file);
}

static ssize_t wrote(int file, ssize_t size, const void* data, off_t offset) {
  if (size <= 0) return size;
  if (files[file].kind == kMarks) note(kMark, "", "", 0, 0, data, (size_t)size);
  if (files[file].kind == kWatched)
    note(kWrite, "", "", files[file].file, (uint64_t)offset, data, (size_t)size);
  return size;
}

ssize_t write(int file, const void* data, size_t size) {
  const enum Kind kind = kind_of_file(file);
  if (kind == kNone) return REAL(write)(file, data, size);
  size = taken(kind, size);
  if (fails(kind, "write", files[file].path, files[file].file)) return -1;
  const ssize_t done = REAL(write)(file, data, size);
  return wrote(file, done, data, done > 0 ? lseek(file, 0, SEEK_CUR) - done : 0);
}
ssize_t pwrite(int file, const void* data, size_t size, off_t offset) {
  const enum Kind kind = kind_of_file(file);
  if (kind == kNone) return REAL(pwrite)(file, data, size, offset);
  size = taken(kind, size);
  if (fails(kind, "pwrite", files[file].path, files[file].file)) return -1;
  return wrote(file, REAL(pwrite)(file, data, size, offset), data, offset);
}
ssize_t pwrite64(int file, const void* data, size_t size, off_t offset) {
  return pwrite(file, data, size, offset);
}

static int truncated(int file, int done, off_t size) {
  if (done == 0 && files[file].kind == kWatched)
    note(kTruncate, "", "", files[file].file, (uint64_t)size, "", 0);
  return done;
}
int ftruncate(int file, off_t size) {
  const enum Kind kind = kind_of_file(file);
  if (kind == kNone) return REAL(ftruncate)(file, size);
  return fails(kind, "ftruncate", files[file].path, files[file].file)
             ? -1
             : truncated(file, REAL(ftruncate)(file, size), size);
}
int ftruncate64(int file, off_t size) { return ftruncate(file, size); }
int truncate(const char* path, off_t size) {
  if (kind_of(path) == kNone) return REAL(truncate)(path, size);
  const int file = open(path, O_WRONLY | O_CLOEXEC);
  const int done = file < 0 ? -1 : ftruncate(file, size);
  if (file >= 0) close(file);
  return done;
}
int truncate64(const char* path, off_t size) { return truncate(path, size); }

static int synced(int file, int done) {
  if (done == 0 && files[file].folder) note(kSyncFolder, files[file].path, "", 0, 0, "", 0);
  if (done == 0 && !files[file].folder) note(kSync, "", "", files[file].file, 0, "", 0);
  return done;
}
int fsync(int file) {
  const enum Kind kind = kind_of_file(file);
  if (kind != kWatched) return REAL(fsync)(file);
  return fails(kind, "fsync", files[file].path, files[file].file) ? -1
                                                                  : synced(file, REAL(fsync)(file));
}
int fdatasync(int file) {
  const enum Kind kind = kind_of_file(file);
  if (kind != kWatched) return REAL(fdatasync)(file);
  return fails(kind, "fdatasync", files[file].path, files[file].file)
             ? -1
             : synced(file, REAL(fdatasync)(file));
}

int rename(const char* from, const char* to) {
  if (fails(kind_of(from), "rename", from, 0)) return -1;
  const int done = REAL(rename)(from, to);
  if (done == 0 && kind_of(from) == kWatched) note(kRename, from, to, 0, 0, "", 0);
  return done;
}
static int unlinked(const char* path, int done) {
  if (done == 0 && kind_of(path) == kWatched) note(kUnlink, path, "", 0, 0, "", 0);
  return done;
}
int unlink(const char* path) { return unlinked(path, REAL(unlink)(path)); }
int remove(const char* path) { return unlinked(path, REAL(remove)(path)); }
int mkdir(const char* path, mode_t mode) {
  const int done = REAL(mkdir)(path, mode);
  if (done == 0 && kind_of(path) == kWatched) note(kFolder, path, "", 0, 0, "", 0);
  return done;
}
