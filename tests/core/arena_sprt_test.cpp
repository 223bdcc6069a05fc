// The sequential test: does it err as seldom as it says?
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "core/arena/arena.h"
#include "core/arena/sprt.h"
#include "core/arena/verdict.h"
#include "core/base/error.h"
#include "core/base/rng.h"

using namespace tabula;

namespace {

using Law = std::array<double, kPairOutcomes>;  // chances of 0 to 4 half points

// Two independent games, each with this mean score and share of draws.
Law independent(double score, double draws) {
  const double game[] = {1 - score - draws / 2, draws, score - draws / 2};
  Law law{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) law[i + j] += game[i] * game[j];
  return law;
}

Law mixed(double share, const Law& a, const Law& b) {
  Law law{};
  for (std::size_t i = 0; i < law.size(); ++i) law[i] = share * a[i] + (1 - share) * b[i];
  return law;
}

// With this chance the second game comes out as the first did.
Law repeated(double score, double draws, double share) {
  const Law same = {1 - score - draws / 2, 0, draws, 0, score - draws / 2};
  return mixed(share, same, independent(score, draws));
}

// With this chance the opening decides both games, so that each player wins one.
Law lopsided(double score, double draws, double share) {
  return mixed(share, {0, 0, 1, 0, 0}, independent(0.5 + (score - 0.5) / (1 - share), draws));
}

int draw(const Law& law, Rng& rng) {
  double left = rng.uniform();
  int outcome = 0;
  while (outcome + 1 < kPairOutcomes && (left -= law[std::size_t(outcome)]) >= 0) ++outcome;
  return outcome;
}

Finding simulated(const Law& law, const SprtConfig& config, Rng& rng, std::uint64_t& pairs) {
  PairCounts counts;
  for (int pair = 0; pair < ArenaConfig().most_pairs; ++pair, ++pairs) {
    counts.add(draw(law, rng));
    const double llr = log_likelihood_ratio(counts, config);
    if (llr >= config.upper()) return Finding::better;
    if (llr <= config.lower()) return Finding::not_better;
  }
  return Finding::not_better;
}

constexpr int kMatches = 10'000;

// Three standard deviations above the rate that is promised.
double most_errors(double rate) {
  return kMatches * rate + 3 * std::sqrt(kMatches * rate * (1 - rate));
}

template <class LawOf>
void check_errors(const char* name, const SprtConfig& config, LawOf law_of) {
  const std::string match = name;
  CAPTURE(match);
  Rng rng(11);
  for (const bool stronger : {false, true}) {
    const Law law = law_of(expected_score(stronger ? config.elo1 : config.elo0));
    const Finding wrong = stronger ? Finding::not_better : Finding::better;
    int errors = 0;
    std::uint64_t pairs = 0;
    for (int i = 0; i < kMatches; ++i) errors += simulated(law, config, rng, pairs) == wrong;
    CAPTURE(stronger);
    CHECK(errors <= most_errors(stronger ? config.beta : config.alpha));
    std::printf("%-48s %s: %5.2f %% wrong, %4.0f pairs\n", name, stronger ? "elo1" : "elo0",
                100.0 * errors / kMatches, double(pairs) / kMatches);
  }
}

}  // namespace

TEST_CASE("10,000 matches at known strength keep both error rates") {
  const SprtConfig config;
  check_errors("no draws", config, [](double s) { return independent(s, 0); });
  check_errors("60 % draws", config, [](double s) { return independent(s, 0.6); });
  check_errors("88 % draws", config, [](double s) { return independent(s, 0.88); });
  check_errors("second game like the first in half of the pairs", config,
               [](double s) { return repeated(s, 0.2, 0.5); });
  check_errors("second game always like the first", config,
               [](double s) { return repeated(s, 0, 1); });
  check_errors("openings that decide 70 % of the pairs", config,
               [](double s) { return lopsided(s, 0.1, 0.7); });
}

TEST_CASE("other bounds keep their error rates") {
  check_errors("elo 0 to 100", {.elo1 = 100}, [](double s) { return independent(s, 0.3); });
  check_errors("elo -20 to 20, alpha 1 %, beta 10 %",
               {.elo0 = -20, .elo1 = 20, .alpha = 0.01, .beta = 0.1},
               [](double s) { return independent(s, 0.3); });
}

TEST_CASE("equal pairs neither divide by zero nor decide too soon") {
  const SprtConfig config;
  struct Sweep {
    int half_points;
    Finding finding;
  };
  for (const auto& [half_points, finding] : {Sweep{0, Finding::not_better},
                                             {1, Finding::not_better},
                                             {2, Finding::not_better},
                                             {3, Finding::better},
                                             {4, Finding::better}}) {
    CAPTURE(half_points);
    const std::vector<int> pairs(1000, half_points);
    const SprtState state = run_sprt(pairs, config);
    CHECK(state.finding == finding);
    CHECK(std::isfinite(state.llr));
    CHECK(state.counts.pairs() > 5);
    CHECK(state.counts.pairs() < 120);
    const EloEstimate elo = estimate_elo(state.counts);
    CHECK(elo.low < elo.elo);
    CHECK(elo.elo < elo.high);
    CHECK(std::isfinite(elo.low));
    CHECK(std::isfinite(elo.high));
  }
  CHECK(std::isfinite(log_likelihood_ratio({{4'000'000, 0, 0, 0, 4'000'000}}, config)));
}

TEST_CASE("the ratio grows with every better outcome and is odd under a change of sides") {
  const SprtConfig even{.elo0 = -30, .elo1 = 30};
  Rng rng(3);
  for (int round = 0; round < 200; ++round) {
    PairCounts counts, turned;
    for (std::size_t i = 0; i < counts.of.size(); ++i) {
      counts.of[i] = rng.below(40);
      turned.of[4 - i] = counts.of[i];
    }
    const double llr = log_likelihood_ratio(counts, even);
    CHECK(llr == doctest::Approx(-log_likelihood_ratio(turned, even)));
    PairCounts better = counts, worse = counts;
    better.add(4);
    worse.add(0);
    CHECK(log_likelihood_ratio(better, even) > llr);
    CHECK(log_likelihood_ratio(worse, even) < llr);
  }
}

TEST_CASE("what comes after the decision changes nothing") {
  std::vector<int> pairs(300, 4);
  const SprtState decided = run_sprt(pairs, {});
  CHECK(decided.finding == Finding::better);
  for (std::size_t i = decided.counts.pairs(); i < pairs.size(); ++i) pairs[i] = 0;
  const SprtState again = run_sprt(pairs, {});
  CHECK(again.finding == Finding::better);
  CHECK(again.counts == decided.counts);
  CHECK(again.llr == decided.llr);
  CHECK(run_sprt({}, {}).finding == Finding::open);
}

TEST_CASE("the 95 % interval of a match holds the truth in about 95 of 100") {
  Rng rng(5);
  for (const double elo : {0.0, 60.0}) {
    const Law law = repeated(expected_score(elo), 0.3, 0.3);
    int held = 0;
    for (int match = 0; match < 2000; ++match) {
      PairCounts counts;
      for (int pair = 0; pair < 200; ++pair) counts.add(draw(law, rng));
      const EloEstimate estimate = estimate_elo(counts);
      held += estimate.low <= elo && elo <= estimate.high;
    }
    CHECK(held > 2000 * 0.93);
    CHECK(held < 2000 * 0.97);
  }
}

TEST_CASE("bounds that make no test are refused") {
  CHECK_THROWS_AS((SprtConfig{.elo0 = 5, .elo1 = 5}.check()), Error);
  CHECK_THROWS_AS((SprtConfig{.alpha = 0}.check()), Error);
  CHECK_THROWS_AS((SprtConfig{.beta = 0.5}.check()), Error);
  CHECK_THROWS_AS((SprtConfig{.elo1 = std::nan("")}.check()), Error);
  CHECK_NOTHROW(SprtConfig{}.check());
}

TEST_CASE("a verdict is read as it was written") {
  const Verdict better{.kind = Verdict::Kind::better,
                       .figures = Verdict::Figures{{34.2, 12.1, 56.8}, 412, 2.95}};
  CHECK(to_text(better) == "better: +34.2 Elo [+12.1, +56.8], 412 pairs, llr 2.95");
  const auto read = parse_verdict(to_text(better));
  REQUIRE(read);
  REQUIRE(read->figures);
  CHECK(read->kind == Verdict::Kind::better);
  CHECK(read->figures->elo.high == doctest::Approx(56.8));
  CHECK(read->figures->pairs == 412);
  CHECK(read->figures->llr == doctest::Approx(2.95));

  const auto skipped = parse_verdict("skipped: a newer candidate was there");
  REQUIRE(skipped);
  CHECK(skipped->kind == Verdict::Kind::skipped);
  CHECK_FALSE(skipped->figures);
  CHECK(skipped->reason == "a newer candidate was there");
  CHECK(to_text(*skipped) == "skipped: a newer candidate was there");
  CHECK(parse_verdict("not better")->kind == Verdict::Kind::not_better);
  CHECK_FALSE(parse_verdict("stronger"));
  CHECK_FALSE(parse_verdict(""));
}
