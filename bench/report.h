// What a benchmark found: a table for people, printed row by row, or JSON for tools, at the end.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "bench/machine.h"

namespace tabula {

struct Column {
  std::string title;
  std::string key;  // in JSON; a Spread has KEY_quartiles too
  int width;        // below 0: text, to the left
  int digits = 0;   // after the point
};

using Cell =
    std::variant<std::monostate, std::string, int, double, Spread>;  // nothing: not measured

struct ReportHead {
  std::string bench, what, how;    // name, what is measured, and how
  nlohmann::ordered_json setting;  // the same for tools
  std::vector<Column> columns;
};

class Report {
 public:
  Report(ReportHead head, bool json);
  void row(const std::vector<Cell>& cells);  // requires: one for each column
  void finish() const;

 private:
  ReportHead head_;
  bool json_;
  nlohmann::ordered_json rows_ = nlohmann::ordered_json::array();
};

}  // namespace tabula
