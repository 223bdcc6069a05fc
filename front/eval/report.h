// The measures as a table for people, and as JSON for tools.
#pragma once
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "front/eval/measures.h"

namespace tabula {

struct EvalReport {
  using Json = nlohmann::ordered_json;
  std::string text;
  Json json = Json::object();

  // `random`: how many a player that moves at random throws away.
  void add_positions(std::span<const PositionRow> rows, const std::string& source, double random);
  void add_pig(std::span<const PigRow> rows);
  void add_lines(std::span<const LinesRow> rows);

 private:
  void add_table(const std::string& title, const std::vector<std::vector<std::string>>& cells);
};

}  // namespace tabula
