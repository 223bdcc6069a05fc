#pragma once
#include <memory>

#include "core/eval/evaluator.h"
#include "core/loop/model_book.h"
#include "core/loop/play_settings.h"

namespace tabula {

// The evaluator of one thread of self-play. `cache`, if given, outlives it.
std::unique_ptr<Evaluator> make_evaluator(const PlayModel& model, const Rules& rules,
                                          const PlaySettings& settings, CacheStats* cache);

}  // namespace tabula
