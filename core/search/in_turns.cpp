#include "core/search/in_turns.h"

#include <cassert>

namespace tabula {
namespace {

void begin(std::span<Search> searches, Evaluator& evaluator, Batch& batch) {
  batch.questions.clear();
  for (Search& search : searches) {
    const int count = search.gather();
    for (int i = 0; i < count; ++i) batch.questions.push_back(search.question(i));
  }
  batch.answers.resize(batch.questions.size());
  if (!batch.questions.empty()) evaluator.begin(batch.questions, batch.answers);
}

void finish(std::span<Search> searches, Evaluator& evaluator, Batch& batch) {
  evaluator.finish();
  std::span<const Answer> answers = batch.answers;
  for (Search& search : searches) {
    const auto count = std::size_t(search.open());
    search.expand(answers.first(count));
    answers = answers.subspan(count);
  }
}

}  // namespace

void run_in_turns(std::span<const std::span<Search>> groups, Evaluator& evaluator,
                  std::span<Batch> batches) {
  assert(groups.size() <= batches.size() && int(groups.size()) <= evaluator.in_flight());
  for (std::size_t i = 0; i < groups.size(); ++i) begin(groups[i], evaluator, batches[i]);
  for (bool busy = true; busy;) {
    busy = false;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (batches[i].questions.empty()) continue;
      busy = true;
      finish(groups[i], evaluator, batches[i]);
      begin(groups[i], evaluator, batches[i]);
    }
  }
}

}  // namespace tabula
