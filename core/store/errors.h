#pragma once
#include "core/base/error.h"

namespace tabula {

// Rows are not what was stored.
class Damaged : public Error {
  using Error::Error;
};

}  // namespace tabula
