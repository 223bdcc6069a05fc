#include "core/report/prometheus.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace tabula;

TEST_CASE("figures are lines, with help and type once for each name") {
  PrometheusText text;
  text.counter("games_total", "Games.", 3)
      .gauge("reuse", "How often.", 0.1)
      .gauge("running", "Programs.", 2, "program", "self\"play\\\n")
      .gauge("running", "Programs.", std::nan(""), "program", "arena");
  CHECK(text.text() ==
        "# HELP games_total Games.\n"
        "# TYPE games_total counter\n"
        "games_total 3\n"
        "# HELP reuse How often.\n"
        "# TYPE reuse gauge\n"
        "reuse 0.10000000000000001\n"
        "# HELP running Programs.\n"
        "# TYPE running gauge\n"
        "running{program=\"self\\\"play\\\\\\n\"} 2\n"
        "running{program=\"arena\"} NaN\n");
}
