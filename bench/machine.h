#pragma once
#include <string>
#include <vector>

namespace tabula {

std::string machine_name();  // the processor and how many of them

// Of several measurements: the middle one, and how far the middle half lies apart.
struct Spread {
  double median = 0, low = 0, high = 0;  // quartiles
};
Spread spread_of(std::vector<double> values);  // requires: not empty

}  // namespace tabula
