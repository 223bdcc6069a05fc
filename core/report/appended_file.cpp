#include "core/report/appended_file.h"

#include <fcntl.h>
#include <unistd.h>

#include "core/base/error.h"

namespace tabula {

AppendedFile::AppendedFile(const std::filesystem::path& path, Open how) : path_(path) {
  const int flags =
      O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (how == Open::new_only ? O_EXCL : 0);
  file_ = Descriptor(retried([&] { return ::open(path.c_str(), flags, 0666); }));
  if (!open() && errno == EEXIST) return;
  if (!open()) fail("open", errno);
  size_ = lseek(file_.number(), 0, SEEK_END);
  if (size_ < 0) fail("append to", errno);
}

void AppendedFile::append(std::string_view bytes) {
  if (!file_.write(bytes)) {
    const int code = errno;
    cut(size_);  // a torn end would hide what follows
    fail("append to", code);
  }
  size_ += off_t(bytes.size());
}

void AppendedFile::cut(off_t size) {
  if (retried([&] { return ftruncate(file_.number(), size); }) != 0) fail("shorten", errno);
  size_ = size;
}

void AppendedFile::fail(const char* act, int code) const {
  const std::string why = path_.string() + ": cannot " + act + " it: " + reason_of(code) + ".";
  if (means_full(code)) throw DiskFull(why);
  throw Error(why);
}

}  // namespace tabula
