// How a match is played, and what it has come to: everything that an arena needs to know of another
// one's match is in the store's rows.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/arena/pairs.h"
#include "core/arena/sprt.h"
#include "core/arena/verdict.h"
#include "core/data/rows.h"

namespace tabula {

// The settings of a MatchRow, as lines of "name = value".
struct MatchSettings {
  bool gated =
      true;  // ends by the sequential test and promotes; else plays all pairs, for a rating
  std::uint64_t seed = 0;
  int simulations = 64;
  int opening_plies = 0;
  SprtConfig sprt{};
};
std::string to_text(const MatchSettings& settings);
MatchSettings parse_match_settings(const std::string& text);  // throws Error

// What is reported of a slot: "HALF_POINTS HASH HASH".
std::string report_text(const PairResult& result);
struct PairReport {
  int half_points = 2;  // of the candidate
  std::array<std::uint64_t, 2> moves{};
};
std::optional<PairReport> parse_report(const std::string& text);

struct Standing {
  SprtState sprt{};
  std::uint32_t reported = 0;
  bool decided = false;
  bool better = false;
};

// Pairs count in the order of their slots, up to the first that is missing: who was quick and who
// came twice changes nothing. A report that cannot be read counts as an even pair.
Standing standing_of(std::span<const SlotRow> reports, std::uint32_t slots,
                     const MatchSettings& settings);
Verdict verdict_of(const Standing& standing, const MatchSettings& settings);

}  // namespace tabula
