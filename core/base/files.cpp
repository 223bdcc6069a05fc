#include "core/base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <random>

#include "core/base/descriptor.h"
#include "core/base/error.h"

namespace tabula {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& what) {
  throw Error(path.string() + ": " + what + ".");
}

Descriptor open_folder(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const int number =
      retried([&] { return open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
  if (number < 0 && errno == ENOENT)
    fail(file, "cannot write it: there is no folder " + folder.string());
  if (number < 0) fail(file, "cannot write it: opening its folder: " + reason_of(errno));
  return Descriptor(number);
}

// A new file in a folder, gone again unless it got its name. Every step returns success or sets
// errno.
class PendingFile {
 public:
  explicit PendingFile(int folder) : folder_(folder), file_(create()) {}
  ~PendingFile() {
    if (!named_ && file_was_made_) unlinkat(folder_, name_.c_str(), 0);
  }
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  bool made() const { return file_was_made_; }

  bool write(std::string_view bytes) { return file_.write(bytes); }

  // Closed only after the flush, and asked for its answer: network file systems report here.
  bool flush() {
    return retried([&] { return fsync(file_.number()); }) == 0 && file_.close();
  }

  bool rename_to(const std::string& name) {
    return named_ = renameat(folder_, name_.c_str(), folder_, name.c_str()) == 0;
  }

 private:
  // Not named after the target, whose name may already be as long as names can be.
  int create() {
    std::random_device random;
    int number = -1;
    do {
      name_ = ".writing-" + std::to_string(random());
      number = retried([&] {
        return openat(folder_, name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      });
    } while (number < 0 && errno == EEXIST);
    file_was_made_ = number >= 0;
    return number;
  }

  int folder_;
  std::string name_;
  bool file_was_made_ = false, named_ = false;
  Descriptor file_;  // last: create() sets the others
};

}  // namespace

std::string read_file(const fs::path& path, std::uint64_t max_bytes) {
  // A pipe must not make us wait for a writer, hence O_NONBLOCK.
  const Descriptor file(
      retried([&] { return open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); }));
  if (!file.open() && errno == ENOENT) fail(path, "there is no such file");
  struct stat status {};
  if (!file.open() || fstat(file.number(), &status) != 0)
    fail(path, "cannot read it: " + reason_of(errno));
  if (!S_ISREG(status.st_mode)) fail(path, "not a file");
  if (std::uint64_t(status.st_size) > max_bytes)
    fail(path, "it has " + std::to_string(status.st_size) + " bytes, and at most " +
                   std::to_string(max_bytes) + " are read");
  std::string bytes(std::size_t(status.st_size), '\0');
  std::size_t have = 0;
  while (have < bytes.size()) {
    const ssize_t got =
        retried([&] { return read(file.number(), bytes.data() + have, bytes.size() - have); });
    if (got < 0) fail(path, "cannot read it: " + reason_of(errno));
    if (got == 0) fail(path, "it became shorter while it was read");
    have += std::size_t(got);
  }
  return bytes;
}

void write_file_atomically(const fs::path& path, std::string_view bytes) {
  if (!path.has_filename()) fail(path, "cannot write it: it names no file");
  const Descriptor folder = open_folder(path);
  PendingFile pending(folder.number());
  if (!pending.made() || !pending.write(bytes) || !pending.flush() ||
      !pending.rename_to(path.filename().string())) {
    const int code = errno;
    if (means_full(code))
      throw DiskFull(path.string() + ": cannot write it: " + reason_of(code) + ".");
    fail(path, "cannot write it: " + reason_of(code));
  }
  // EINVAL: a file system whose folders cannot be flushed, and need not be.
  if (retried([&] { return fsync(folder.number()); }) != 0 && errno != EINVAL)
    fail(path,
         "it is written, but its folder could not be flushed to the disk: " + reason_of(errno));
}

}  // namespace tabula
