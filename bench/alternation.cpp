#include "bench/alternation.h"

#include <time.h>

namespace tabula {
namespace {

constexpr std::size_t kSlices = 4;

double seconds_on(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return double(now.tv_sec) + double(now.tv_nsec) * 1e-9;
}

}  // namespace

double wall_seconds() { return seconds_on(CLOCK_MONOTONIC); }
double processor_seconds() { return seconds_on(CLOCK_THREAD_CPUTIME_ID); }

Rates alternate(const std::vector<Side>& sides, int repeats, int milliseconds) {
  const double slice = milliseconds / 1000. / kSlices;
  for (const Side& side : sides) side(slice);
  Rates rates(sides.size(), std::vector<double>(std::size_t(repeats), 0.));
  for (std::size_t i = 0; i < std::size_t(repeats); ++i)
    for (std::size_t turn = 0; turn < kSlices * sides.size(); ++turn) {
      const std::size_t side = (i + turn) % sides.size();  // not always the same one first
      rates[side][i] += sides[side](slice) / kSlices;
    }
  return rates;
}

Spread ratio_of(const std::vector<double>& above, const std::vector<double>& below) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < above.size(); ++i) ratios.push_back(above[i] / below[i]);
  return spread_of(std::move(ratios));
}

}  // namespace tabula
