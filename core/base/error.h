#pragma once
#include <stdexcept>

namespace tabula {

// Something the outside world got wrong: a file, an option, a plugin, a record. The message is one
// sentence that says what to do; main() prints it and exits with 1.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// There is no room on the disk: nothing was changed, and the same may be tried again later.
class DiskFull : public Error {
  using Error::Error;
};

// Bytes could not be flushed to the disk. Nobody knows which of them are there: the process must
// end, and whoever opens the files again finds out.
class FlushFailed : public Error {
  using Error::Error;
};

}  // namespace tabula
