#pragma once
#include <string>
#include <string_view>

namespace tabula {

// Figures as Prometheus reads them.
class PrometheusText {
 public:
  // Lines of one name follow one another.
  PrometheusText& gauge(std::string_view name, std::string_view help, double value) {
    return add(name, help, "gauge", value, "");
  }
  PrometheusText& counter(std::string_view name, std::string_view help, double value) {
    return add(name, help, "counter", value, "");
  }
  // With a label, in braces behind the name.
  PrometheusText& gauge(std::string_view name, std::string_view help, double value,
                        std::string_view label, std::string_view label_value);

  const std::string& text() const { return text_; }

 private:
  PrometheusText& add(std::string_view name, std::string_view help, std::string_view type,
                      double value, const std::string& labels);
  std::string text_, last_;  // the name whose help was given last
};

}  // namespace tabula
