#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tabula {

// BLAKE2b with 32 bytes: what a model's file is named by (`b2sum -l 256 FILE` prints the same) and
// what tells altered bytes from those that were stored.
using Digest = std::array<std::uint8_t, 32>;

Digest digest_of(std::string_view bytes);

// The digest of bytes that come in pieces.
class DigestStream {
 public:
  DigestStream();
  DigestStream& add(std::string_view bytes);
  // A number, always as 8 bytes: so that no two lists of parts run together.
  DigestStream& add_number(std::uint64_t number);
  Digest finish();  // once

 private:
  alignas(64) std::array<std::uint8_t, 384> state_;
};

// Random bytes from the system, for ids and keys.
void fill_random(std::span<std::uint8_t> bytes);
std::uint64_t random_word();

std::string hex(std::span<const std::uint8_t> bytes);
// False unless the text is exactly that many bytes in lower-case hexadecimal.
bool from_hex(std::string_view text, std::span<std::uint8_t> bytes);

}  // namespace tabula
