#include "core/arena/match_settings.h"

#include <cinttypes>
#include <cstdio>
#include <map>
#include <sstream>

#include "core/base/error.h"

namespace tabula {
namespace {

std::map<std::string, std::string> parse_lines(const std::string& text) {
  std::map<std::string, std::string> values;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (const std::size_t equals = line.find(" = "); equals != line.npos)
      values[line.substr(0, equals)] = line.substr(equals + 3);
  return values;
}

template <class T>
T number_in(const std::map<std::string, std::string>& values, const char* name) {
  const auto found = values.find(name);
  T number{};
  if (found != values.end()) {
    std::istringstream text(found->second);
    if (text >> number && text.eof()) return number;
  }
  throw Error(std::string("a match's settings do not say '") + name + "'.");
}

}  // namespace

std::string to_text(const MatchSettings& settings) {
  std::ostringstream text;
  text.precision(17);
  text << "gate = " << (settings.gated ? "sprt" : "none") << "\nseed = " << settings.seed
       << "\nsimulations = " << settings.simulations
       << "\nopening-plies = " << settings.opening_plies << "\nelo0 = " << settings.sprt.elo0
       << "\nelo1 = " << settings.sprt.elo1 << "\nalpha = " << settings.sprt.alpha
       << "\nbeta = " << settings.sprt.beta << "\n";
  return text.str();
}

MatchSettings parse_match_settings(const std::string& text) {
  const auto values = parse_lines(text);
  MatchSettings settings{.gated = number_in<std::string>(values, "gate") != "none",
                         .seed = number_in<std::uint64_t>(values, "seed"),
                         .simulations = number_in<int>(values, "simulations"),
                         .opening_plies = number_in<int>(values, "opening-plies"),
                         .sprt = {.elo0 = number_in<double>(values, "elo0"),
                                  .elo1 = number_in<double>(values, "elo1"),
                                  .alpha = number_in<double>(values, "alpha"),
                                  .beta = number_in<double>(values, "beta")}};
  settings.sprt.check();
  if (settings.simulations < 1 || settings.opening_plies < 0)
    throw Error("a match's settings are out of range.");
  return settings;
}

std::string report_text(const PairResult& result) {
  char text[64];
  std::snprintf(text, sizeof text, "%d %016" PRIx64 " %016" PRIx64, result.half_points(),
                result.moves[0], result.moves[1]);
  return text;
}

std::optional<PairReport> parse_report(const std::string& text) {
  PairReport report;
  int end = 0;
  const int read = std::sscanf(text.c_str(), "%1d %16" SCNx64 " %16" SCNx64 "%n",
                               &report.half_points, &report.moves[0], &report.moves[1], &end);
  if (read != 3 || std::size_t(end) != text.size() || report.half_points >= kPairOutcomes)
    return {};
  return report;
}

Standing standing_of(std::span<const SlotRow> reports, std::uint32_t slots,
                     const MatchSettings& settings) {
  std::map<std::uint32_t, int> by_slot;  // the first report of a slot counts
  for (const SlotRow& row : reports)
    if (row.slot < slots)
      by_slot.emplace(row.slot, parse_report(row.result).value_or(PairReport{}).half_points);
  std::vector<int> in_order;
  for (const auto& [slot, half_points] : by_slot)
    if (slot == in_order.size()) in_order.push_back(half_points);

  Standing standing{.reported = std::uint32_t(by_slot.size())};
  const bool all = in_order.size() >= slots;
  if (settings.gated) {
    standing.sprt = run_sprt(in_order, settings.sprt);
    standing.decided = all || standing.sprt.finding != Finding::open;
    standing.better = standing.sprt.finding == Finding::better;
  } else {
    for (const int half_points : in_order) standing.sprt.counts.add(half_points);
    standing.sprt.llr = log_likelihood_ratio(standing.sprt.counts, settings.sprt);
    standing.decided = all;
  }
  return standing;
}

Verdict verdict_of(const Standing& standing, const MatchSettings& settings) {
  Verdict verdict{.kind = Verdict::Kind::rated};
  if (settings.gated)
    verdict.kind = standing.better ? Verdict::Kind::better : Verdict::Kind::not_better;
  verdict.figures = figures_of(standing.sprt.counts, standing.sprt.llr);
  return verdict;
}

}  // namespace tabula
