#pragma once
#include <cstdint>

namespace tabula {

// One step of splitmix64: a bijection of 64-bit words that looks random.
constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// A small random stream (xoroshiro128++), the same on every machine and compiler. Not thread-safe.
class Rng {
 public:
  explicit constexpr Rng(std::uint64_t seed) : a_(mix(seed)), b_(mix(a_)) {}

  constexpr Rng(std::uint64_t a, std::uint64_t b) : a_(a), b_(b) {}  // goes on from save()
  constexpr void save(std::uint64_t out[2]) const {
    out[0] = a_;
    out[1] = b_;
  }

  constexpr std::uint64_t next() {
    const std::uint64_t a = a_, b = a_ ^ b_;
    const std::uint64_t word = rotate(a + b_, 17) + a;
    a_ = rotate(a, 49) ^ b ^ (b << 21);
    b_ = rotate(b, 28);
    return word;
  }

  // Uniform in [0, n). requires: n > 0. The bias is below n / 2^32.
  constexpr std::uint32_t below(std::uint32_t n) { return std::uint32_t((next() >> 32) * n >> 32); }

  // Uniform in [0, 1).
  constexpr float uniform() { return float(next() >> 40) * 0x1p-24f; }

 private:
  static constexpr std::uint64_t rotate(std::uint64_t x, int k) { return x << k | x >> (64 - k); }
  std::uint64_t a_, b_;
};

}  // namespace tabula
