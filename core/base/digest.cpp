#include "core/base/digest.h"

#include <sodium.h>

#include <cassert>
#include <new>

namespace tabula {
namespace {

crypto_generichash_state* state_in(std::array<std::uint8_t, 384>& room) {
  static_assert(sizeof(crypto_generichash_state) <= sizeof room);
  return std::launder(reinterpret_cast<crypto_generichash_state*>(room.data()));
}

const std::uint8_t* bytes_in(std::string_view text) {
  return reinterpret_cast<const std::uint8_t*>(text.data());
}

// Chooses the code for this processor; safe to call from any thread, any number of times.
const int kReady = sodium_init();

}  // namespace

Digest digest_of(std::string_view bytes) {
  Digest digest;
  crypto_generichash(digest.data(), digest.size(), bytes_in(bytes), bytes.size(), nullptr, 0);
  return digest;
}

DigestStream::DigestStream() {
  assert(kReady >= 0);
  crypto_generichash_init(state_in(state_), nullptr, 0, sizeof(Digest));
}

DigestStream& DigestStream::add(std::string_view bytes) {
  crypto_generichash_update(state_in(state_), bytes_in(bytes), bytes.size());
  return *this;
}

DigestStream& DigestStream::add_number(std::uint64_t number) {
  std::array<std::uint8_t, 8> bytes;
  for (int i = 0; i < 8; ++i) bytes[std::size_t(i)] = std::uint8_t(number >> (8 * i));
  crypto_generichash_update(state_in(state_), bytes.data(), bytes.size());
  return *this;
}

Digest DigestStream::finish() {
  Digest digest;
  crypto_generichash_final(state_in(state_), digest.data(), digest.size());
  return digest;
}

void fill_random(std::span<std::uint8_t> bytes) { randombytes_buf(bytes.data(), bytes.size()); }

std::uint64_t random_word() {
  std::uint64_t word = 0;
  randombytes_buf(&word, sizeof word);
  return word;
}

std::string hex(std::span<const std::uint8_t> bytes) {
  std::string text;
  for (std::uint8_t byte : bytes)
    for (int shift : {4, 0}) text += "0123456789abcdef"[byte >> shift & 15];
  return text;
}

bool from_hex(std::string_view text, std::span<std::uint8_t> bytes) {
  if (text.size() != 2 * bytes.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t digit = std::string_view("0123456789abcdef").find(text[i]);
    if (digit > 15) return false;
    bytes[i / 2] = std::uint8_t(bytes[i / 2] << 4 | digit);
  }
  return true;
}

}  // namespace tabula
