#include "core/search/noise.h"

#include <algorithm>
#include <cmath>

#include "core/base/portable_math.h"

namespace tabula {
namespace {

float positive(Rng& rng) { return std::max(rng.uniform(), 1e-12f); }

float normal(Rng& rng) {  // the polar method: a point in the unit disc, stretched
  while (true) {
    const float x = 2 * rng.uniform() - 1, y = 2 * rng.uniform() - 1, r = x * x + y * y;
    if (r < 1 && r > 1e-12f) return x * std::sqrt(-2 * portable_log(r) / r);
  }
}

// Marsaglia and Tsang (2000); below 1 by the power of a uniform variable. The standard library's
// distributions differ from one implementation to the next, and games must not.
float gamma(float alpha, Rng& rng) {
  if (alpha < 1) return gamma(alpha + 1, rng) * portable_pow(positive(rng), 1 / alpha);
  const float d = alpha - 1.f / 3, c = 1 / std::sqrt(9 * d);
  while (true) {
    const float x = normal(rng), t = 1 + c * x;
    if (t <= 0) continue;
    const float v = t * t * t;
    if (portable_log(positive(rng)) < x * x / 2 + d - d * v + d * portable_log(v)) return d * v;
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
