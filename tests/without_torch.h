#pragma once
#include <doctest/doctest.h>

#include "core/nn/torch_library.h"

namespace tabula {

// Whether a test that trains has nothing to do here; says so.
inline bool skipped_without_torch() {
  if (!torch_installed()) MESSAGE("skipped: this build has no LibTorch");
  return !torch_installed();
}

}  // namespace tabula
