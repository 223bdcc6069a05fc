// Many searches, one batch of questions a round.
#pragma once
#include <span>
#include <vector>

#include "core/search/search.h"

namespace tabula {

// Kept by the caller, so that its memory is allocated once.
struct Batch {
  std::vector<Question> questions;
  std::vector<Answer> answers;
};

// One leaf, or as many as may be pending, of every search that is not done, in one batch. Returns
// the size of the batch: 0 when all are done.
std::size_t run_round(std::span<Search> searches, Evaluator& evaluator, Batch& batch);

// Rounds until every search is done.
void run_together(std::span<Search> searches, Evaluator& evaluator, Batch& batch);

// The same for several groups with as many batches in flight: one group's trees are walked while
// the others' positions are judged. requires: a batch for each group, and
// groups <= evaluator.in_flight()
void run_in_turns(std::span<const std::span<Search>> groups, Evaluator& evaluator,
                  std::span<Batch> batches);

}  // namespace tabula
