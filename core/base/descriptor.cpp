#include "core/base/descriptor.h"

#include <system_error>

namespace tabula {

std::string reason_of(int code) {
  switch (code) {
    case ENOSPC:
    case EDQUOT:
      return "the disk is full; make room and try again";
    case EACCES:
    case EPERM:
      return "there is no permission to";
    case EROFS:
      return "the file system is read-only";
    case EFBIG:
      return "it would be larger than a file may be here (see ulimit -f)";
    case EISDIR:
      return "it is a folder";
    default:
      return std::generic_category().message(code);
  }
}

bool means_full(int code) { return code == ENOSPC || code == EDQUOT || code == EFBIG; }

bool Descriptor::write(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = retried([&] { return ::write(number_, bytes.data(), bytes.size()); });
    if (written < 0) return false;
    bytes.remove_prefix(std::size_t(written));
  }
  return true;
}

}  // namespace tabula
