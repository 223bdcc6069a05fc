#include "core/arena/sprt.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/error.h"

namespace tabula {
namespace {

using Chances = std::array<double, kPairOutcomes>;

// Pairs of each outcome that are taken as seen before the first. Without them a few equal pairs
// would rule out all other outcomes, and no chances with the wanted mean would be left.
constexpr double kPrior = 0.5;
constexpr double kNormal95 = 1.959963984540054;

double score_of(std::size_t half_points) { return double(half_points) / (kPairOutcomes - 1); }

Chances weights_of(const PairCounts& counts) {
  Chances weights;
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = kPrior + counts.of[i];
  return weights;
}

// The likeliest chances with the mean `score` are w_i / (W (1 + x (a_i - score))) for the one x at
// which they have that mean (Owen, Empirical Likelihood, 2001, section 2.3). Newton's method, kept
// between bounds in which all chances are positive.
double multiplier(const Chances& weights, double score, double x) {
  double low = -1 / (1 - score), high = 1 / score;
  for (int step = 0; step < 100; ++step) {
    double slope = 0, value = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const double a = score_of(i) - score, share = a / (1 + x * a);
      value += weights[i] * share;
      slope -= weights[i] * share * share;
    }
    (value > 0 ? low : high) = x;  // value falls with x
    const double next = x - value / slope;
    const double moved = next > low && next < high ? next : (low + high) / 2;
    const double moved_by = std::abs(moved - x);
    x = moved;
    if (moved_by < 1e-6) break;  // the next one would have its square
  }
  return x;
}

double mean_of(const Chances& weights) {
  double sum = 0, total = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    sum += weights[i] * score_of(i);
    total += weights[i];
  }
  return sum / total;
}

double variance_of(const Chances& weights) {
  const double mean = mean_of(weights);
  double sum = 0, total = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    sum += weights[i] * (score_of(i) - mean) * (score_of(i) - mean);
    total += weights[i];
  }
  return sum / total;
}

double guess(double mean, double variance, double score) {
  const double x = (mean - score) / (variance + (mean - score) * (mean - score));
  return std::clamp(x, -0.9 / (1 - score), 0.9 / score);
}

}  // namespace

double expected_score(double elo) { return 1 / (1 + std::pow(10, -elo / 400)); }
double elo_of(double score) { return -400 * std::log10(1 / score - 1); }

std::uint32_t PairCounts::pairs() const { return std::accumulate(of.begin(), of.end(), 0u); }

double SprtConfig::lower() const { return std::log(beta / (1 - alpha)); }
double SprtConfig::upper() const { return std::log((1 - beta) / alpha); }

void SprtConfig::check() const {
  const auto is_rate = [](double rate) { return rate > 0 && rate < 0.5; };
  if (!(elo0 < elo1) || std::abs(elo0) > 1000 || std::abs(elo1) > 1000)
    throw Error("elo0 must be below elo1, and both between -1000 and 1000.");
  if (!is_rate(alpha) || !is_rate(beta))
    throw Error("alpha and beta are error rates between 0 and 0.5.");
}

double log_likelihood_ratio(const PairCounts& counts, const SprtConfig& config) {
  const Chances weights = weights_of(counts);
  const double mean = mean_of(weights), variance = variance_of(weights);
  const double s0 = expected_score(config.elo0), s1 = expected_score(config.elo1);
  const double x0 = multiplier(weights, s0, guess(mean, variance, s0));
  const double x1 = multiplier(weights, s1, guess(mean, variance, s1));
  double ratio = 0;
  for (std::size_t i = 0; i < weights.size(); ++i)
    ratio += weights[i] * std::log((1 + x0 * (score_of(i) - s0)) / (1 + x1 * (score_of(i) - s1)));
  return ratio;
}

SprtState run_sprt(std::span<const int> half_points, const SprtConfig& config) {
  SprtState state;
  for (const int pair : half_points) {
    state.counts.add(pair);
    state.llr = log_likelihood_ratio(state.counts, config);
    if (state.llr >= config.upper()) state.finding = Finding::better;
    if (state.llr <= config.lower()) state.finding = Finding::not_better;
    if (state.finding != Finding::open) break;
  }
  return state;
}

EloEstimate estimate_elo(const PairCounts& counts) {
  const Chances weights = weights_of(counts);
  const double pairs = std::accumulate(weights.begin(), weights.end(), 0.0);
  const double mean = mean_of(weights);
  const double off = kNormal95 * std::sqrt(variance_of(weights) / pairs);
  const auto elo = [](double score) { return elo_of(std::clamp(score, 1e-4, 1 - 1e-4)); };
  return {elo(mean), elo(mean - off), elo(mean + off)};
}

}  // namespace tabula
