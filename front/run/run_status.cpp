#include "front/run/run_status.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/store/reader.h"

namespace tabula {
namespace {

constexpr double kGone = 30;  // seconds of silence

// Matches change until they are closed: those after the last closed one are asked for again.
std::uint64_t last_settled(const std::vector<MatchRow>& matches) {
  std::uint64_t last = 0;
  for (const MatchRow& match : matches) {
    if (match.open) break;
    last = match.number;
  }
  return last;
}

}  // namespace

double RunStatus::sum(const char* program, const char* figure) const {
  double sum = 0;
  for (const ProgramStatus& each : programs)
    if (each.program == program) sum += each[figure];
  return sum;
}

const ProgramStatus* RunStatus::find(const char* program) const {
  const auto found = std::ranges::find(programs, program, &ProgramStatus::program);
  return found == programs.end() ? nullptr : &*found;
}

int RunStatus::count(const char* program) const {
  return int(std::ranges::count(programs, program, &ProgramStatus::program));
}

RunStatus status_at_rest(const std::filesystem::path& database) {
  const Reader reader(database);
  RunStatus status;
  status.served = false;
  status.game = reader.identity().game;
  status.champion = reader.champion().model;
  status.totals = reader.totals();
  status.models = reader.models();
  status.matches = reader.matches();
  return status;
}

const RunStatus& RunWatch::look(std::int64_t patience_ms) {
  const auto json = nlohmann::json::parse(store_.ask<Status>(AskStatus{}, patience_ms).json);
  status_.game = json.at("game");
  status_.champion = json.at("champion");
  status_.trouble = json.at("trouble");
  status_.waiting = json.at("waiting");
  status_.memory = json.value("memory", 0.);
  const auto& totals = json.at("totals");
  status_.totals = {.games = totals.at("games"),
                    .positions = totals.at("positions"),
                    .bytes = totals.at("bytes"),
                    .seen_games = totals.at("seen_games"),
                    .seen_positions = totals.at("seen_positions"),
                    .quarantined = totals.at("quarantined"),
                    .dropped = totals.at("dropped"),
                    .retired = totals.at("retired"),
                    .adjourned = totals.at("adjourned"),
                    .abandoned = totals.at("abandoned")};
  status_.programs.clear();
  for (const auto& program : json.at("programs")) {
    const double silent = program.value("silent", 0.);
    if (silent < kGone)
      status_.programs.push_back(
          {program.at("program"), program.at("worker"), silent, program.at("figures")});
  }
  read_models(patience_ms);
  read_matches(patience_ms);
  return status_;
}

void RunWatch::read_models(std::int64_t patience_ms) {
  for (bool more = true; more;) {
    const std::uint64_t known = status_.models.empty() ? 0 : status_.models.back().number;
    const auto list = store_.ask<ModelList>(Models{known}, patience_ms).models;
    status_.models.insert(status_.models.end(), list.begin(), list.end());
    more = list.size() == kMaxRows;
  }
}

void RunWatch::read_matches(std::int64_t patience_ms) {
  std::uint64_t known = last_settled(status_.matches);
  std::erase_if(status_.matches, [&](const MatchRow& match) { return match.number > known; });
  for (bool more = true; more;) {
    const auto list = store_.ask<MatchList>(Matches{known}, patience_ms).matches;
    status_.matches.insert(status_.matches.end(), list.begin(), list.end());
    if (!list.empty()) known = list.back().number;
    more = list.size() == kMaxRows;
  }
}

}  // namespace tabula
