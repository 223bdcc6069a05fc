#include "core/loop/evaluators.h"

namespace tabula {

std::unique_ptr<Evaluator> make_evaluator(const PlayModel& model, const Rules& rules,
                                          const PlaySettings& settings, CacheStats* cache) {
  std::unique_ptr<Evaluator> evaluator;
  if (model.net) {
    evaluator = net_evaluator(make_engine(*model.net, settings.engine), model.net->shape);
    if (settings.symmetry && rules.symmetries() > 1)
      evaluator = with_symmetry(std::move(evaluator), SymmetryUse::drawn);
  } else if (model.id == "rollout") {
    evaluator = rollout_evaluator(settings.rollouts, 0);
  } else {
    evaluator = uniform_evaluator();
  }
  if (settings.cache_megabytes > 0)
    evaluator =
        with_cache(std::move(evaluator), rules, std::size_t(settings.cache_megabytes) << 20, cache);
  return evaluator;
}

}  // namespace tabula
