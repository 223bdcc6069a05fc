#pragma once
#include <span>

#include "core/search/search.h"

namespace tabula {

// run_together() for several groups with as many batches in flight: one group's trees are walked
// while the others' positions are judged. requires: a batch for each group, and
// groups <= evaluator.in_flight()
void run_in_turns(std::span<const std::span<Search>> groups, Evaluator& evaluator,
                  std::span<Batch> batches);

}  // namespace tabula
