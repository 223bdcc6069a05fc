#include "core/arena/verdict.h"

#include <array>
#include <cstdio>

namespace tabula {
namespace {

constexpr std::array<std::string_view, 5> kKinds = {"better", "not better", "rated", "skipped",
                                                    "void"};
constexpr const char* kFigures = "%+.1f Elo [%+.1f, %+.1f], %u pairs, llr %.2f";

std::optional<Verdict::Figures> parse_figures(const std::string& text) {
  Verdict::Figures f;
  int end = 0;
  const int read = std::sscanf(text.c_str(), "%lf Elo [%lf, %lf], %u pairs, llr %lf%n", &f.elo.elo,
                               &f.elo.low, &f.elo.high, &f.pairs, &f.llr, &end);
  if (read != 5 || std::size_t(end) != text.size()) return {};
  return f;
}

}  // namespace

Verdict::Figures figures_of(const PairCounts& counts, double llr) {
  return {estimate_elo(counts), counts.pairs(), llr};
}

std::string to_text(const Verdict& verdict) {
  std::string text(kKinds[std::size_t(verdict.kind)]);
  if (!verdict.figures) return verdict.reason.empty() ? text : text + ": " + verdict.reason;
  const auto& [elo, pairs, llr] = *verdict.figures;
  char room[200];
  std::snprintf(room, sizeof room, kFigures, elo.elo, elo.low, elo.high, pairs, llr);
  return text + ": " + room;
}

std::optional<Verdict> parse_verdict(std::string_view text) {
  const std::size_t colon = text.find(": ");
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
    if (text.substr(0, colon) != kKinds[kind]) continue;
    Verdict verdict{.kind = Verdict::Kind(kind)};
    if (colon == text.npos) return verdict;
    const std::string rest(text.substr(colon + 2));
    verdict.figures = parse_figures(rest);
    if (!verdict.figures) verdict.reason = rest;
    return verdict;
  }
  return {};
}

}  // namespace tabula
