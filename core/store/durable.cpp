#include "core/store/durable.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <vector>

#include "core/base/descriptor.h"
#include "core/base/die_at.h"
#include "core/store/errors.h"

namespace tabula {
namespace {

namespace fs = std::filesystem;

// EINVAL: a folder of a file system whose folders cannot be flushed, and need not be.
void flush(const fs::path& path, int flags) {
  const int file = open(path.c_str(), flags | O_RDONLY | O_CLOEXEC);
  if (file < 0) fail_on(path, "opening");
  const bool failed = fsync(file) != 0 && !(errno == EINVAL && flags == O_DIRECTORY);
  const int code = errno;
  close(file);
  if (failed)
    throw FlushFailed(path.string() + ": the disk failed to take what was written: " +
                      std::generic_category().message(code) + ".");
}

}  // namespace

void fail_on(const fs::path& file, const std::string& act) {
  if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)
    throw DiskFull(file.string() + ": the disk is full; make room, and it goes on.");
  throw Error(file.string() + ": " + act + " failed: " + std::generic_category().message(errno) +
              ".");
}

void flush_file(const fs::path& file) { flush(file, 0); }

void flush_folder_of(const fs::path& file) {
  flush(file.has_parent_path() ? file.parent_path() : fs::path("."), O_DIRECTORY);
}

void rename_durably(const fs::path& from, const fs::path& to) {
  if (rename(from.c_str(), to.c_str()) != 0) fail_on(to, "giving it its name");
  die_at("model.renamed");
  flush_folder_of(to);
}

}  // namespace tabula
