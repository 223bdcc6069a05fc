#include "bench/report.h"

#include <cassert>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <sstream>

namespace tabula {
namespace {

using Json = nlohmann::ordered_json;

std::ostream& operator<<(std::ostream& out, std::monostate) { return out << "-"; }
std::ostream& operator<<(std::ostream& out, const Spread& spread) {
  return out << spread.median << " (" << spread.low << " to " << spread.high << ")";
}

std::string text_of(const Cell& cell, int digits) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(digits);
  std::visit([&](const auto& value) { out << value; }, cell);
  return out.str();
}

void add(Json& row, const std::string& key, const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell))
    row[key] = *text;
  else if (const auto* count = std::get_if<int>(&cell))
    row[key] = *count;
  else if (const auto* number = std::get_if<double>(&cell))
    row[key] = *number;
  else if (const auto* spread = std::get_if<Spread>(&cell)) {
    row[key] = spread->median;
    row[key + "_quartiles"] = {spread->low, spread->high};
  } else
    row[key] = nullptr;
}

void print(const Column& column, const std::string& text) {
  std::cout << (column.width < 0 ? std::left : std::right) << std::setw(std::abs(column.width))
            << text << "  ";
}

}  // namespace

Report::Report(ReportHead head, bool json) : head_(std::move(head)), json_(json) {
  if (json_) return;
  std::cout << head_.what << "\n"
            << machine_name() << "; " << head_.how << "; median (quartiles)\n\n";
  for (const Column& column : head_.columns) print(column, column.title);
  std::cout << std::endl;
}

void Report::row(const std::vector<Cell>& cells) {
  assert(cells.size() == head_.columns.size());
  Json row;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Column& column = head_.columns[i];
    json_ ? add(row, column.key, cells[i]) : print(column, text_of(cells[i], column.digits));
  }
  if (json_)
    rows_.push_back(std::move(row));
  else
    std::cout << std::endl;
}

void Report::finish() const {
  if (!json_) return;
  Json report{{"bench", head_.bench}, {"machine", machine_name()}};
  report.update(head_.setting);
  report["rows"] = rows_;
  std::cout << report.dump(2) << "\n";
}

}  // namespace tabula
