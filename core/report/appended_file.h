#pragma once
#include <sys/types.h>

#include <filesystem>
#include <string_view>

#include "core/base/descriptor.h"

namespace tabula {

// A file that grows at its end, for others to read meanwhile. What was appended survives kill -9;
// a power cut may take the last of it. One process writes, one thread of it.
class AppendedFile {
 public:
  enum class Open { new_only, any };
  // Makes the file if there is none. Not open() if there is one, and only a new one will do.
  AppendedFile(const std::filesystem::path& path, Open how);

  bool open() const { return file_.open(); }
  // All of it, or nothing and a throw: DiskFull, after which the same may be tried again, or Error.
  void append(std::string_view bytes);
  void cut(off_t size);  // keeps so many bytes

 private:
  [[noreturn]] void fail(const char* act, int code) const;
  std::filesystem::path path_;
  Descriptor file_;
  off_t size_ = 0;
};

}  // namespace tabula
