#pragma once
#include "core/base/error.h"

namespace tabula {

// There is no room: nothing was changed, and the same call may be tried again.
class DiskFull : public Error {
  using Error::Error;
};
// A flush failed, so nobody knows what the disk holds: the process must end.
class FlushFailed : public Error {
  using Error::Error;
};
// A page of the file makes no sense, or a row is not what was written.
class Damaged : public Error {
  using Error::Error;
};

}  // namespace tabula
