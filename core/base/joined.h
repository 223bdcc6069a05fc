#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace tabula {

// "3 1 4", or `none` if there are none.
inline std::string joined(std::span<const std::int32_t> numbers, const char* none = "none") {
  std::string text;
  for (std::int32_t number : numbers) text += (text.empty() ? "" : " ") + std::to_string(number);
  return text.empty() ? none : text;
}

}  // namespace tabula
