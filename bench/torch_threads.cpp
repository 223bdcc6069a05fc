#include "bench/torch_threads.h"

#include <cstdlib>

namespace tabula {

const TorchLibrary& torch_with_threads(int threads) {
  setenv("OPENBLAS_NUM_THREADS", std::to_string(threads).c_str(), 1);  // read when it is loaded
  return torch_library();
}

}  // namespace tabula
