// docs/networks.md states what each preset costs: this holds it to that.
#include <doctest/doctest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "core/nn/net.h"
#include "tests/support.h"

using namespace tabula;

namespace {

// "1,234,567"
std::string grouped(std::int64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

std::string table_row(const char* game, const std::string& preset, const NetConfig& config) {
  const NetCost cost = cost_of(NetShape::of(shipped(game)), config);
  char flops[32];
  std::snprintf(flops, sizeof flops, "%.2f", double(cost.flops) / 1e6);
  return "| " + std::string(game) + " | " + preset + " | " + to_text(config) + " | " +
         grouped(cost.parameters) + " | " + flops + " |";
}

}  // namespace

TEST_CASE("the documented cost of every preset is the cost it has") {
  std::ifstream in(TABULA_SOURCE "/docs/networks.md");
  const std::string page(std::istreambuf_iterator<char>(in), {});
  for (const char* game : {"connect4", "othello8", "go9", "gomoku15", "pig100"})
    for (const auto& [preset, config] : net_presets()) {
      const std::string row = table_row(game, preset, config);
      CHECK_MESSAGE(page.find(row) != page.npos, "docs/networks.md lacks: " << row);
    }
}
