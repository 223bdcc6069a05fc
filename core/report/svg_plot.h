#pragma once
#include <string>
#include <utility>
#include <vector>

namespace tabula {

// A plot of lines over one axis, as an SVG that stands alone.
class SvgPlot {
 public:
  SvgPlot(std::string title, std::string x, std::string y)
      : title_(std::move(title)), x_(std::move(x)), y_(std::move(y)) {}

  using Points = std::vector<std::pair<double, double>>;  // what is not finite is left out
  SvgPlot& line(std::string name, Points points);
  std::string text() const;

 private:
  struct Line {
    std::string name;
    Points points;
  };
  std::string title_, x_, y_;
  std::vector<Line> lines_;
};

// Round numbers that divide a range into some five parts.
std::vector<double> ticks_of(double low, double high);

}  // namespace tabula
