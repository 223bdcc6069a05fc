#include "core/arena/run_view.h"

#include <algorithm>
#include <set>

#include "core/arena/verdict.h"

namespace tabula {

void RunView::refresh(ArenaStore& store) {
  read_models(store);
  read_matches(store);
  champion_ = store.ask<ChampionIs>(AskChampion{}).champion;
}

void RunView::read_models(ArenaStore& store) {
  for (bool more = true; more;) {
    const auto list = store.ask<ModelList>(Models{models_.empty() ? 0 : models_.back().number});
    for (const ModelRow& row : list.models) {
      numbers_[row.id] = row.number;
      models_.push_back(row);
    }
    more = list.models.size() >= kMaxRows;
  }
}

// From the first open one on: closed matches stay as they are.
void RunView::read_matches(ArenaStore& store) {
  const auto open = std::ranges::find_if(matches_, [](const auto& m) { return m.second.open; });
  std::uint64_t after = open != matches_.end() ? open->first - 1
                        : matches_.empty()     ? 0
                                               : matches_.rbegin()->first;
  for (bool more = true; more;) {
    const auto list = store.ask<MatchList>(Matches{after});
    for (const MatchRow& row : list.matches) {
      after = std::max(after, row.number);
      matches_[row.number] = row;
    }
    more = list.matches.size() >= kMaxRows;
  }
  tested_.clear();
  for (const auto& [number, match] : matches_) {
    const auto verdict = parse_verdict(match.verdict);
    if (!verdict || verdict->kind != Verdict::Kind::void_match)
      tested_.emplace(match.candidate, number);
  }
}

std::uint64_t RunView::match_of(const std::string& candidate) const {
  const auto found = tested_.find(candidate);
  return found == tested_.end() ? 0 : found->second;
}

std::vector<MatchRow> RunView::open_matches() const {
  std::vector<MatchRow> open;
  for (const auto& [number, match] : matches_)
    if (match.open) open.push_back(match);
  return open;
}

const MatchRow* RunView::match(std::uint64_t number) const {
  const auto found = matches_.find(number);
  return found == matches_.end() ? nullptr : &found->second;
}

std::uint64_t RunView::number_of(const std::string& model) const {
  const auto found = numbers_.find(model);
  return found == numbers_.end() ? 0 : found->second;
}

std::vector<ModelRow> RunView::untested() const {
  std::vector<ModelRow> found;
  for (const ModelRow& model : models_)
    if (model.number > number_of(champion_.model) && match_of(model.id) == 0)
      found.push_back(model);
  return found;
}

std::string RunView::last_rated() const {
  std::set<std::string> unplayable;
  std::string last;
  for (const auto& [number, match] : matches_) {
    const auto verdict = match.open ? std::nullopt : parse_verdict(match.verdict);
    if (!verdict) continue;
    if (verdict->kind == Verdict::Kind::rated || verdict->kind == Verdict::Kind::better)
      last = match.candidate;
    if (verdict->kind == Verdict::Kind::not_better && !verdict->figures)
      unplayable.insert(match.candidate);
  }
  if (!last.empty()) return last;
  const auto first = std::ranges::find_if(
      models_, [&](const ModelRow& model) { return !unplayable.contains(model.id); });
  return first == models_.end() ? "" : first->id;
}

}  // namespace tabula
