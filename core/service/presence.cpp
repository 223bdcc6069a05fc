#include "core/service/presence.h"

#include <nlohmann/json.hpp>

namespace tabula {
namespace {

constexpr std::size_t kMostPrograms = 20000;
constexpr std::int64_t kSilentMs = 120'000, kLatelyMs = 45'000;

double figure_of(const Beat& beat, std::string_view name) {
  for (const Beat::Figure& figure : beat.figures)
    if (figure.name == name) return figure.value;
  return 0;
}

}  // namespace

void Presence::beat(const std::string& account, const Beat& beat, std::int64_t now) {
  if (programs_.size() >= kMostPrograms) forget_silent(now);
  const std::pair key(account, beat.program + "/" + beat.worker);
  if (programs_.size() >= kMostPrograms && !programs_.contains(key)) return;
  programs_[key] = {account, beat, now};
}

void Presence::forget_silent(std::int64_t now) {
  std::erase_if(programs_, [&](const auto& each) { return each.second.seen < now - kSilentMs; });
}

PaceReport Presence::pace(std::int64_t now) const {
  PaceReport report;
  for (const auto& [key, program] : programs_) {
    if (program.seen < now - kLatelyMs) continue;
    const Beat& last = program.last;
    if (last.program == "trainer") {
      report.samples_per_second += figure_of(last, "samples_per_second");
      report.waiting = figure_of(last, "waiting");
      report.reuse = figure_of(last, "reuse");
      report.reuse_target = figure_of(last, "reuse_target");
      report.fresh_per_second += figure_of(last, "fresh_per_second");
    }
    const double plies = last.program == "selfplay" ? figure_of(last, "plies/s") : 0;
    report.workers += plies > 0;
    report.plies_per_second += plies;
  }
  return report;
}

std::map<std::string, int> Presence::programs(std::int64_t now) const {
  std::map<std::string, int> counts;
  for (const auto& [key, program] : programs_)
    if (program.seen >= now - kLatelyMs) ++counts[program.last.program];
  return counts;
}

std::string Presence::json(std::int64_t now) const {
  nlohmann::json programs = nlohmann::json::array(), accounts = nlohmann::json::object();
  for (const auto& [key, program] : programs_) {
    nlohmann::json figures = nlohmann::json::object();
    for (const Beat::Figure& figure : program.last.figures) figures[figure.name] = figure.value;
    programs.push_back({{"account", program.account},
                        {"program", program.last.program},
                        {"worker", program.last.worker},
                        {"silent", double(now - program.seen) / 1000},
                        {"figures", figures}});
  }
  for (const auto& [account, fates] : fates_)
    accounts[account] = {{"stored", fates[std::size_t(Fate::stored)]},
                         {"known", fates[std::size_t(Fate::known)]},
                         {"adjourned", fates[std::size_t(Fate::adjourned)]},
                         {"refused", fates[std::size_t(Fate::refused)]}};
  for (const auto& [account, count] : malformed_) accounts[account]["malformed"] = count;
  return nlohmann::json{{"programs", programs}, {"accounts", accounts}}.dump();
}

}  // namespace tabula
