// Sides of a comparison are timed in turn, within one run: a noisy machine is noisy to all of them.
#pragma once
#include <functional>
#include <vector>

#include "bench/machine.h"

namespace tabula {

using Clock = double (*)();  // seconds
double wall_seconds();
// That this thread has had a processor: on a shared machine the wall's clock measures the
// neighbours. For what one thread does alone.
double processor_seconds();

// Does a piece of work until the time is up, and returns things done a second. A piece says how
// many it did.
template <class Piece>
double rate_of(Clock clock, double seconds, const Piece& piece) {
  const double began = clock();
  double done = 0, took = 0;
  while ((took = clock() - began) < seconds) done += double(piece());
  return done / took;
}

using Side = std::function<double(double seconds)>;  // its rate

// [side][repeat]: rates. In a repeat each side's time is cut into slices, and they take turns. Each
// side runs once before, to warm up.
using Rates = std::vector<std::vector<double>>;
Rates alternate(const std::vector<Side>& sides, int repeats, int milliseconds);

// Of ratios taken repeat by repeat.
Spread ratio_of(const std::vector<double>& above, const std::vector<double>& below);

}  // namespace tabula
