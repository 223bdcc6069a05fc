#include "core/base/nearest.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace tabula {
namespace {

// Insertions, deletions and replacements that turn `a` into `b` (Levenshtein).
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest(std::string_view typed, std::span<const std::string> names) {
  const auto distance = [&](const std::string& name) { return edits(typed, name); };
  const auto best = std::ranges::min_element(names, {}, distance);
  const bool close = best != names.end() && distance(*best) <= 1 + typed.size() / 3;
  return close ? *best : std::string();
}

std::string did_you_mean(std::string_view typed, std::span<const std::string> names) {
  const std::string name = nearest(typed, names);
  return name.empty() ? "" : " Did you mean " + name + "?";
}

}  // namespace tabula
