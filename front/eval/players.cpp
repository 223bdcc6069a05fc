#include "front/eval/players.h"

namespace tabula {
namespace {

constexpr std::size_t kCacheBytes = std::size_t{32} << 20;

}  // namespace

EvalPlayer net_player(const std::string& name, const Net& net, const Rules& rules, NetUse use) {
  const auto shared = std::make_shared<const Net>(net);
  const auto seen = [shared, use](SymmetryUse symmetry) {
    return with_symmetry(net_evaluator(cpu_engine(*shared, use.kernel), shared->shape), symmetry);
  };
  const auto searching = [seen, use, &rules] {
    const SymmetryUse symmetry = use.average ? SymmetryUse::averaged : SymmetryUse::drawn;
    return with_cache(seen(symmetry), rules, kCacheBytes);
  };
  return {name, [seen] { return seen(SymmetryUse::averaged); }, searching};
}

EvalPlayer rollout_player(std::uint64_t seed) {
  return {"rollouts", {}, [seed] { return rollout_evaluator(1, seed); }};
}

}  // namespace tabula
