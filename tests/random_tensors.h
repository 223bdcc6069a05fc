#pragma once
#include <bit>
#include <cmath>
#include <string>

#include "core/base/rng.h"
#include "core/data/safetensors.h"

namespace tabula {

// Any finite float: signs, zeros, denormals and extremes too.
inline float any_float(Rng& rng) {
  for (;;)
    if (const float x = std::bit_cast<float>(std::uint32_t(rng.next())); std::isfinite(x)) return x;
}

// Letters that JSON treats in its own ways: quotes, controls, several bytes.
inline std::string any_text(Rng& rng, std::uint32_t shortest) {
  const char* const letters[] = {"a", "Z", "0", ".", "\"", "\\", "\n", "\x01", "/", "é", "棋", "😀"};
  std::string text;
  for (std::uint32_t n = shortest + rng.below(8); n-- > 0;) text += letters[rng.below(12)];
  return text;
}

inline Tensor any_tensor(Rng& rng) {
  Tensor tensor;
  std::int64_t count = 1;
  for (std::uint32_t rank = rng.below(5); rank-- > 0; count *= tensor.shape.back())
    tensor.shape.push_back(rng.below(5) == 0 ? rng.below(4) : 1 + rng.below(3));
  for (; count > 0; --count) tensor.values.push_back(any_float(rng));
  return tensor;
}

inline TensorFile any_tensor_file(Rng& rng, std::uint32_t most_tensors) {
  TensorFile file;
  for (std::uint32_t n = rng.below(3); n-- > 0;) file.metadata[any_text(rng, 0)] = any_text(rng, 0);
  for (std::uint32_t n = rng.below(most_tensors + 1); n-- > 0;)
    file.tensors[any_text(rng, 1)] = any_tensor(rng);
  return file;
}

// A safetensors file with this header and data, and a true length before them.
inline std::string with_length(const std::string& header, const std::string& data) {
  std::string bytes;
  for (std::size_t i = 0; i < 8; ++i) bytes += char(header.size() >> (8 * i) & 255);
  return bytes + header + data;
}

}  // namespace tabula
