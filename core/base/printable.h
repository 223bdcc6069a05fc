#pragma once
#include <string>
#include <string_view>

namespace tabula {

// A text from outside, fit for messages and logs: printable ASCII, not longer than that.
inline std::string printable(std::string_view text, std::size_t most) {
  std::string shown(text.substr(0, most));
  for (char& c : shown)
    if (c < ' ' || c > '~') c = '?';
  if (text.size() > most && most >= 3) shown.replace(most - 3, 3, "...");
  return shown;
}

}  // namespace tabula
