#include "core/report/svg_plot.h"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/run.h"

using namespace tabula;

TEST_CASE("ticks are round, in the range, and about five") {
  CHECK(ticks_of(0, 1) == std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1});
  CHECK(ticks_of(0, 10000) == std::vector<double>{0, 2000, 4000, 6000, 8000, 10000});
  CHECK(ticks_of(-3, 3) == std::vector<double>{-2, 0, 2});
  for (double high = 1e-6; high < 1e9; high *= 3.7) {
    const auto ticks = ticks_of(0, high);
    CHECK(ticks.size() >= 3);
    CHECK(ticks.size() <= 7);
    CHECK(ticks.back() <= high * (1 + 1e-6));
  }
}

TEST_CASE("a plot has its lines, their names and the axes, whatever the numbers are") {
  SvgPlot plot("a < b", "seconds", "workers");
  plot.line("wanted", {{0, 1}, {1, std::nan("")}, {2, 5}}).line("none", {});
  const std::string svg = plot.text();
  CHECK(contains(svg, "a &lt; b"));
  CHECK(contains(svg, ">wanted</text>"));
  CHECK(contains(svg, "points=\"70,256 610,40 \""));
  CHECK(!contains(svg, "nan"));
  CHECK(svg.ends_with("</svg>\n"));
  CHECK(contains(SvgPlot("", "", "").text(), "</svg>"));
  CHECK(!contains(SvgPlot("", "", "").line("point", {{3, 3}}).text(), "nan"));
}
