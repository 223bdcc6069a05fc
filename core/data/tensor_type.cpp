#include "core/data/tensor_type.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>

namespace tabula {
namespace {

static_assert(std::endian::native == std::endian::little,
              "the file's bytes are copied as they lie");

void read_f32(const char* from, std::span<float> to) {
  if (!to.empty()) std::memcpy(to.data(), from, to.size_bytes());
}

template <float convert(std::uint16_t)>
void read_halves(const char* from, std::span<float> to) {
  for (float& value : to) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, from, sizeof bits);
    from += sizeof bits;
    value = convert(bits);
  }
}

// A float without its last 16 bits.
float bf16(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t(bits) << 16); }

// IEEE 754 binary16: 1 bit of sign, 5 of exponent, 10 of mantissa.
float f16(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  float size = std::numeric_limits<float>::infinity();  // stands for not-a-number as well
  if (exponent == 0) size = std::ldexp(float(mantissa), -24);
  if (exponent > 0 && exponent < 31) size = std::ldexp(float(1024 + mantissa), exponent - 25);
  return bits >> 15 ? -size : size;
}

constexpr TensorType kTypes[] = {
    {"F32", 4, read_f32}, {"F16", 2, read_halves<f16>}, {"BF16", 2, read_halves<bf16>}};

}  // namespace

const TensorType* find_tensor_type(std::string_view name) {
  const auto found = std::ranges::find(kTypes, name, &TensorType::name);
  return found == std::end(kTypes) ? nullptr : found;
}

}  // namespace tabula
