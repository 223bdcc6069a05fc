#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "core/base/rng.h"

namespace tabula {

// Folds words into 64 bits, in order. Not for adversaries: those get a cryptographic hash.
class Hash {
 public:
  constexpr Hash& add(std::uint64_t word) {
    value_ = mix(value_ ^ word);
    return *this;
  }

  Hash& add_bytes(std::span<const std::byte> bytes) {
    add(bytes.size());
    for (; bytes.size() >= 8; bytes = bytes.subspan(8)) add(word(bytes.data(), 8));
    return bytes.empty() ? *this : add(word(bytes.data(), bytes.size()));
  }

  Hash& add_text(std::string_view text) { return add_bytes(std::as_bytes(std::span(text))); }

  constexpr std::uint64_t value() const { return value_; }

 private:
  static std::uint64_t word(const std::byte* from, std::size_t size) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, size);
    return word;
  }
  std::uint64_t value_ = 0;
};

}  // namespace tabula
