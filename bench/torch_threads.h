#pragma once
#include "core/nn/torch_library.h"

namespace tabula {

// LibTorch, with so many threads in its BLAS, which its own settings do not reach. Only the first
// call decides.
const TorchLibrary& torch_with_threads(int threads);

}  // namespace tabula
