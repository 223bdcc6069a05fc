#include "core/report/prometheus.h"

#include <cmath>
#include <cstdio>

namespace tabula {
namespace {

std::string number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\n') {
      safe += "\\n";
      continue;
    }
    if (c == '\\' || c == '"') safe += '\\';
    safe += c;
  }
  return safe;
}

}  // namespace

PrometheusText& PrometheusText::gauge(std::string_view name, std::string_view help, double value,
                                      std::string_view label, std::string_view label_value) {
  return add(name, help, "gauge", value,
             "{" + std::string(label) + "=\"" + escaped(label_value) + "\"}");
}

PrometheusText& PrometheusText::add(std::string_view name, std::string_view help,
                                    std::string_view type, double value,
                                    const std::string& labels) {
  if (last_ != name) {
    last_ = name;
    text_ += "# HELP " + last_ + " " + std::string(help) + "\n# TYPE " + last_ + " " +
             std::string(type) + "\n";
  }
  text_ += last_ + labels + " " + number(value) + "\n";
  return *this;
}

}  // namespace tabula
