#include "core/search/rounds.h"

#include <algorithm>
#include <cassert>

namespace tabula {
namespace {

constexpr std::size_t kTogether = 8;  // searches that walk side by side

// Searches wait for memory more than for anything else, so they take their steps in turn.
void walk(std::span<Search> searches) {
  Search* walking[kTogether];
  std::size_t count = 0;
  for (Search& search : searches) {
    assert(search.open() == 0);
    walking[count++] = &search;
  }
  while (count > 0) {
    std::size_t left = 0;
    for (std::size_t i = 0; i < count; ++i)
      if (walking[i]->step()) walking[left++] = walking[i];
    count = left;
  }
}

void gather(std::span<Search> searches, Batch& batch) {
  batch.questions.clear();
  while (!searches.empty()) {
    const auto now = searches.first(std::min(kTogether, searches.size()));
    searches = searches.subspan(now.size());
    for (const Search& search : searches.first(std::min(kTogether, searches.size())))
      search.prefetch();
    walk(now);
    for (Search& search : now)
      for (int i = 0; i < search.open(); ++i) batch.questions.push_back(search.question(i));
  }
  batch.answers.resize(batch.questions.size());
}

void expand(std::span<Search> searches, const Batch& batch) {
  std::span<const Answer> answers = batch.answers;
  for (Search& search : searches) {
    const auto count = std::size_t(search.open());
    search.expand(answers.first(count));
    answers = answers.subspan(count);
  }
}

}  // namespace

std::size_t run_round(std::span<Search> searches, Evaluator& evaluator, Batch& batch) {
  gather(searches, batch);
  if (batch.questions.empty()) return 0;
  evaluator.evaluate(batch.questions, batch.answers);
  expand(searches, batch);
  return batch.questions.size();
}

void run_together(std::span<Search> searches, Evaluator& evaluator, Batch& batch) {
  while (run_round(searches, evaluator, batch) > 0) {}
}

void run_in_turns(std::span<const std::span<Search>> groups, Evaluator& evaluator,
                  std::span<Batch> batches) {
  assert(groups.size() <= batches.size() && int(groups.size()) <= evaluator.in_flight());
  const auto begin = [&](std::size_t i) {
    gather(groups[i], batches[i]);
    if (!batches[i].questions.empty()) evaluator.begin(batches[i].questions, batches[i].answers);
  };
  for (std::size_t i = 0; i < groups.size(); ++i) begin(i);
  for (bool busy = true; busy;) {
    busy = false;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (batches[i].questions.empty()) continue;
      busy = true;
      evaluator.finish();
      expand(groups[i], batches[i]);
      begin(i);
    }
  }
}

}  // namespace tabula
