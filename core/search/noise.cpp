#include "core/search/noise.h"

#include <algorithm>
#include <cmath>

namespace tabula {
namespace {

float normal(Rng& rng) {  // Box and Muller
  const float radius = std::sqrt(-2 * std::log(std::max(rng.uniform(), 1e-12f)));
  return radius * std::cos(6.2831853f * rng.uniform());
}

// Marsaglia and Tsang (2000); below 1 by the power of a uniform variable. The standard library's
// distributions differ from one implementation to the next, and games must not.
float gamma(float alpha, Rng& rng) {
  if (alpha < 1)
    return gamma(alpha + 1, rng) * std::pow(std::max(rng.uniform(), 1e-12f), 1 / alpha);
  const float d = alpha - 1.f / 3, c = 1 / std::sqrt(9 * d);
  while (true) {
    const float x = normal(rng), t = 1 + c * x;
    if (t <= 0) continue;
    const float v = t * t * t;
    if (std::log(std::max(rng.uniform(), 1e-12f)) < x * x / 2 + d - d * v + d * std::log(v))
      return d * v;
  }
}

}  // namespace

void mix_dirichlet(std::span<float> priors, float alpha, float fraction, Rng& rng) {
  if (alpha <= 0) alpha = 10.f / float(priors.size());
  // Two passes over the same draws: no scratch space for the noise.
  const Rng before = rng;
  float sum = 0;
  for (std::size_t i = 0; i < priors.size(); ++i) sum += gamma(alpha, rng);
  Rng again = before;
  for (float& prior : priors) {
    const float noise = sum > 0 ? gamma(alpha, again) / sum : 1.f / float(priors.size());
    prior = (1 - fraction) * prior + fraction * noise;
  }
}

}  // namespace tabula
