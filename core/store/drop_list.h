// The sequence numbers in a drop's row: 8 bytes each, least significant first.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tabula {

constexpr std::size_t kMostInDrop = 4096;

inline std::string drop_list(std::span<const std::uint64_t> numbers) {
  std::string bytes;
  for (const std::uint64_t number : numbers)
    for (int shift = 0; shift < 64; shift += 8) bytes += char(number >> shift & 255);
  return bytes;
}

inline std::vector<std::uint64_t> dropped_in(std::string_view bytes) {
  std::vector<std::uint64_t> numbers(bytes.size() / 8);
  for (std::size_t i = 0; i < numbers.size() * 8; ++i)
    numbers[i / 8] |= std::uint64_t(std::uint8_t(bytes[i])) << (i % 8 * 8);
  return numbers;
}

}  // namespace tabula
