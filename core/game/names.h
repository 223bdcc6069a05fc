// What plugins and the engine both call things: actions, cells, games.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace tabula {

using Action = std::int32_t;

// "c3": the column's letter, and the row counted from the bottom; "r3c30" beyond the alphabet.
inline std::string cell_text(int rows, int cols, int cell) {
  const int row = rows - cell / cols, col = cell % cols;
  if (col < 26) return char('a' + col) + std::to_string(row);
  return "r" + std::to_string(row) + "c" + std::to_string(col + 1);
}

constexpr std::size_t kLongestName = 32;
#define TABULA_NAME_RULE "1 to 32 characters from a-z, 0-9, _ and -, a letter or a digit first"

constexpr bool is_game_name(std::string_view name) {
  if (name.empty() || name.size() > kLongestName) return false;
  for (char c : name)
    if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '_' && c != '-') return false;
  return name[0] != '_' && name[0] != '-';
}

}  // namespace tabula
