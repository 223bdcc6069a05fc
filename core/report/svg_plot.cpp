#include "core/report/svg_plot.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tabula {
namespace {

constexpr double kWidth = 720, kHeight = 360, kLeft = 70, kRight = 110, kTop = 40, kBottom = 50;
constexpr const char* kColours[] = {"#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e"};

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '<')
      safe += "&lt;";
    else if (c == '&')
      safe += "&amp;";
    else
      safe += c;
  }
  return safe;
}

std::string written(double x, double y, const char* anchor, const std::string& text) {
  return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"" + anchor + "\">" +
         escaped(text) + "</text>\n";
}

std::string stroke(double x1, double y1, double x2, double y2, const char* colour) {
  return "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) +
         "\" y2=\"" + number(y2) + "\" stroke=\"" + colour + "\"/>\n";
}

// Where the numbers of an axis are in the picture.
struct Axis {
  double low = 0, high = 1, from = 0, to = 1;
  double at(double value) const { return from + (value - low) / (high - low) * (to - from); }
};

bool finite(const std::pair<double, double>& point) {
  return std::isfinite(point.first) && std::isfinite(point.second);
}

}  // namespace

std::vector<double> ticks_of(double low, double high) {
  const double rough = (high - low) / 5, power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double round : {1., 2., 2.5, 5.})
    if (round * power >= rough) {
      step = round * power;
      break;
    }
  std::vector<double> ticks;
  for (double tick = std::ceil(low / step) * step; tick <= high + step / 1e6; tick += step)
    ticks.push_back(std::abs(tick) < step / 1e6 ? 0 : tick);
  return ticks;
}

SvgPlot& SvgPlot::line(std::string name, Points points) {
  std::erase_if(points, [](const auto& point) { return !finite(point); });
  lines_.push_back({std::move(name), std::move(points)});
  return *this;
}

std::string SvgPlot::text() const {
  Axis x{.low = INFINITY, .high = -INFINITY, .from = kLeft, .to = kWidth - kRight};
  Axis y{.low = 0, .high = -INFINITY, .from = kHeight - kBottom, .to = kTop};
  for (const Line& line : lines_)
    for (const auto& [px, py] : line.points) {
      x.low = std::min(x.low, px);
      x.high = std::max(x.high, px);
      y.low = std::min(y.low, py);
      y.high = std::max(y.high, py);
    }
  if (!(x.high > x.low)) x.low = std::isfinite(x.low) ? x.low : 0, x.high = x.low + 1;
  if (!(y.high > y.low)) y.high = y.low + 1;
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + number(kWidth) +
                    " " + number(kHeight) +
                    "\" font-family=\"sans-serif\" font-size=\"12\">\n"
                    "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  svg += written(kWidth / 2, 20, "middle", title_);
  svg += written(kWidth / 2, kHeight - 10, "middle", x_);
  svg += written(8, kTop - 10, "start", y_);
  for (const double tick : ticks_of(x.low, x.high))
    svg += written(x.at(tick), kHeight - kBottom + 18, "middle", number(tick));
  for (const double tick : ticks_of(y.low, y.high)) {
    svg += stroke(kLeft, y.at(tick), kWidth - kRight, y.at(tick), "#dddddd");
    svg += written(kLeft - 8, y.at(tick) + 4, "end", number(tick));
  }
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const char* colour = kColours[i % std::size(kColours)];
    svg += "<polyline fill=\"none\" stroke-width=\"1.5\" stroke=\"" + std::string(colour) +
           "\" points=\"";
    for (const auto& [px, py] : lines_[i].points)
      svg += number(x.at(px)) + "," + number(y.at(py)) + " ";
    svg += "\"/>\n";
    const double at = kTop + 6 + 16 * double(i);
    svg += stroke(kWidth - kRight + 10, at - 4, kWidth - kRight + 30, at - 4, colour);
    svg += written(kWidth - kRight + 36, at, "start", lines_[i].name);
  }
  return svg + "</svg>\n";
}

}  // namespace tabula
