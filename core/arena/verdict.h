// What became of a match, as the store keeps it: one line that people and rating curves read.
//
//   better: +34.2 Elo [+12.1, +56.8], 412 pairs, llr 2.95
//   not better: -3.0 Elo [-20.4, +14.4], 350 pairs, llr -2.96
//   rated: +51.0 Elo [+5.2, +98.9], 100 pairs, llr 1.02
//   skipped: a newer candidate was there
//   void: the champion moved meanwhile           (its candidate may be tested in another match)
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/arena/sprt.h"

namespace tabula {

struct Verdict {
  enum class Kind { better, not_better, rated, skipped, void_match } kind = Kind::skipped;
  struct Figures {
    EloEstimate elo;
    std::uint32_t pairs = 0;
    double llr = 0;
  };
  std::optional<Figures> figures{};  // of a match that was played
  std::string reason{};              // else: why it was not
};

Verdict::Figures figures_of(const PairCounts& counts, double llr);
std::string to_text(const Verdict& verdict);
// Nothing: it is no verdict of an arena's.
std::optional<Verdict> parse_verdict(std::string_view text);

}  // namespace tabula
