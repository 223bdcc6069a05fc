#pragma once
#include <span>

#include "core/base/rng.h"

namespace tabula {

// priors = (1 - fraction) * priors + fraction * noise, the noise drawn from a symmetric Dirichlet
// distribution. alpha 0 means 10 / number of moves.
void mix_dirichlet(std::span<float> priors, float alpha, float fraction, Rng& rng);

}  // namespace tabula
