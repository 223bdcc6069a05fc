// A sequential test on pairs of games: is the candidate stronger? (docs/arena.md)
//
// A pair is one opening played twice with colours swapped, so its two games are not independent and
// the pair is what counts: five outcomes, of 0 to 4 half points for the candidate.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tabula {

constexpr int kPairOutcomes = 5;

double expected_score(double elo);  // of a game: 0 to 1
double elo_of(double score);        // requires: 0 < score < 1

struct PairCounts {
  std::array<std::uint32_t, kPairOutcomes> of{};  // by the candidate's half points

  void add(int half_points) { ++of[std::size_t(half_points)]; }
  std::uint32_t pairs() const;
  bool operator==(const PairCounts&) const = default;
};

// H0: at most elo0 stronger. H1: at least elo1 stronger.
struct SprtConfig {
  double elo0 = 0, elo1 = 35;
  double alpha = 0.05;  // most often to call it better at elo0
  double beta = 0.05;   // most often to call it not better at elo1

  double lower() const;  // Wald's bounds of the log-likelihood ratio
  double upper() const;
  void check() const;  // throws Error unless elo0 < elo1 and both rates are in (0, 0.5)
};

// The logarithm of how much likelier the pairs are under H1 than under H0, each taken at the
// likeliest five chances that have its mean.
double log_likelihood_ratio(const PairCounts& counts, const SprtConfig& config);

enum class Finding { open, better, not_better };

struct SprtState {
  Finding finding = Finding::open;
  PairCounts counts;  // up to the pair that decided
  double llr = 0;
};

// Tests after every pair, in order. The first that decides ends it; what comes later is ignored.
SprtState run_sprt(std::span<const int> half_points, const SprtConfig& config);

struct EloEstimate {
  double elo = 0, low = 0, high = 0;  // low, high: 95 %
};
// From the mean of the pairs and their variance, with half a pair of each outcome added, so that a
// clean sweep stays finite.
EloEstimate estimate_elo(const PairCounts& counts);

}  // namespace tabula
