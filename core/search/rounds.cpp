#include "core/search/rounds.h"

#include <cassert>

namespace tabula {
namespace {

void gather(std::span<Search> searches, Batch& batch) {
  batch.questions.clear();
  for (std::size_t s = 0; s < searches.size(); ++s) {
    if (s + 1 < searches.size()) searches[s + 1].prefetch();
    const int count = searches[s].gather();
    for (int i = 0; i < count; ++i) batch.questions.push_back(searches[s].question(i));
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
