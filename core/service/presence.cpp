#include "core/service/presence.h"

#include <nlohmann/json.hpp>

namespace tabula {
namespace {

constexpr std::size_t kMostPrograms = 20000;
constexpr std::int64_t kSilentMs = 120'000;

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
