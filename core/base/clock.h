#pragma once
#include <chrono>
#include <cstdint>

namespace tabula {

// Milliseconds of a clock that never goes back.
inline std::int64_t clock_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

inline std::int64_t unix_seconds() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// The same from the first call on, whatever becomes of the machine's clock then: for leases and
// ages.
inline std::int64_t steady_unix_seconds() {
  static const std::int64_t began = 1000 * unix_seconds() - clock_ms();
  return (began + clock_ms()) / 1000;
}

}  // namespace tabula
