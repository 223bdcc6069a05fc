// Logarithm and exponential that give the same bits on every machine. The C library's differ
// between processors (it picks variants with and without fused multiply-add), and a game must not.
#pragma once
#include <bit>
#include <cstdint>

namespace tabula {

// Within 2e-7 relative or absolute. requires: x > 0 and normal
inline float portable_log(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  int exponent = int(bits >> 23) - 127;
  float m = std::bit_cast<float>((bits & 0x7fffffu) | 0x3f800000u);  // 1 <= m < 2
  if (m > 1.41421356f) {
    m *= 0.5f;
    ++exponent;
  }
  // log m = 2 artanh s, whose series converges fast: |s| < 0.172
  const float s = (m - 1) / (m + 1), t = s * s;
  const float series = 1 + t * (1.f / 3 + t * (1.f / 5 + t * (1.f / 7 + t * (1.f / 9))));
  return float(exponent) * 0.693147181f + 2 * s * series;
}

// Within 3e-7 relative; 0 below -87, and capped above 88.
inline float portable_exp(float x) {
  if (x < -87) return 0;
  if (x > 88) x = 88;
  const float n = float(int(x * 1.44269504f + (x < 0 ? -0.5f : 0.5f)));
  const float r = (x - n * 0.693145752f) - n * 1.42860677e-6f;  // ln 2 in two parts
  const float series =
      1 +
      r * (1 + r * (1.f / 2 + r * (1.f / 6 + r * (1.f / 24 + r * (1.f / 120 + r * (1.f / 720))))));
  return series * std::bit_cast<float>(std::uint32_t(int(n) + 127) << 23);
}

// requires: x > 0
inline float portable_pow(float x, float y) { return portable_exp(y * portable_log(x)); }

}  // namespace tabula
