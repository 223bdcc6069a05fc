// One target as libFuzzer wants it. A folder that is given last is filled with the seeds.
#include <iostream>

#include "tests/fuzz/target.h"

using namespace tabula;

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  const std::filesystem::path folder = (*words)[*count - 1];
  if (!std::filesystem::is_directory(folder)) return 0;
  Rng rng(1);
  int number = 0;
  for (const std::string& seed : fuzz_targets().front().seeds(rng))
    std::ofstream(folder / ("seed-" + std::to_string(number++)), std::ios::binary) << seed;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  takes(fuzz_targets().front(), {reinterpret_cast<const char*>(data), size});
  return 0;
}
