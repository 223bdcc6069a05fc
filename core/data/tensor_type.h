#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace tabula {

// How a file may hold the values that we hold as floats.
struct TensorType {
  std::string_view name;
  std::uint64_t bytes;                                  // of one value
  void (*read)(const char* from, std::span<float> to);  // little-endian
};

// F32, F16 or BF16; null for any other name.
const TensorType* find_tensor_type(std::string_view name);

}  // namespace tabula
