#pragma once
#include <span>
#include <string>
#include <string_view>

namespace tabula {

// The name in `names` that a typist most likely meant, or "" if none is close.
std::string nearest(std::string_view typed, std::span<const std::string> names);

// " Did you mean NAME?", or "".
std::string did_you_mean(std::string_view typed, std::span<const std::string> names);

}  // namespace tabula
