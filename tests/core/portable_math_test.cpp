#include "core/base/portable_math.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/rng.h"

using namespace tabula;

TEST_CASE("logarithm and exponential are what they should be, nearly to the last bit") {
  Rng rng(1);
  for (int i = 0; i < 100000; ++i) {
    const float x = std::exp(80 * (2 * rng.uniform() - 1));
    CHECK(std::fabs(portable_log(x) - std::log(double(x))) <
          3e-7 * std::max(1.0, std::fabs(std::log(double(x)))));
    const float y = 85 * (2 * rng.uniform() - 1);
    CHECK(std::fabs(portable_exp(y) / std::exp(double(y)) - 1) < 1e-6);
  }
  CHECK(portable_log(1) == 0);
  CHECK(portable_exp(0) == 1);
  CHECK(portable_exp(-1000) == 0);
  CHECK(std::isfinite(portable_exp(1000)));
  CHECK(portable_pow(2, 10) == doctest::Approx(1024));
}
