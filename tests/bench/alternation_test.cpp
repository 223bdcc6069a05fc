#include "bench/alternation.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace tabula;

namespace {

double now = 0;
double told() { return now; }

}  // namespace

TEST_CASE("a rate is what was done by the time it took, the last piece included") {
  now = 100;
  const double rate = rate_of(told, 1, [] {
    now += 0.75;
    return 6;
  });
  CHECK(rate == doctest::Approx(12 / 1.5));
}

TEST_CASE("sides take turns within a repeat, and no side is always first") {
  std::string turns;
  const auto side = [&](char name) {
    return [&turns, name](double seconds) {
      CHECK(seconds > 0);
      turns += name;
      return name == 'a' ? 10. : 20.;
    };
  };
  const Rates rates = alternate({side('a'), side('b')}, 6, 100);
  REQUIRE(rates.size() == 2);
  CHECK(rates[0] == std::vector<double>(6, 10.));
  CHECK(rates[1] == std::vector<double>(6, 20.));
  const std::string measured = turns.substr(2);  // after one to warm up each
  const std::size_t repeat = measured.size() / 6;
  for (std::size_t i = 0; i < 6; ++i) {
    const std::string part = measured.substr(i * repeat, repeat);
    CHECK(part[0] == (i % 2 == 0 ? 'a' : 'b'));
    CHECK(std::ranges::count(part, 'a') == std::ranges::count(part, 'b'));
    CHECK(part.find("aa") == part.npos);
  }
}

TEST_CASE("ratios are taken repeat by repeat, so that noise which both sides see goes away") {
  const Spread ratio = ratio_of({30, 3, 300}, {10, 1, 100});
  CHECK(ratio.low == doctest::Approx(3));
  CHECK(ratio.high == doctest::Approx(3));
}
