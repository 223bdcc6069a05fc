#include "core/truth/exact_solver.h"

#include <algorithm>
#include <vector>

#include "core/truth/position_key.h"

namespace tabula {
namespace {

// A position on the way down, of whose moves the first `next` are known. (A stack of our own: a
// stranger's game may be deeper than the machine's.)
struct Open {
  explicit Open(const State& from) : state(from) {
    if (state.over())
      best = state.result();
    else
      moves = state.legal();
  }
  bool done() const { return next == moves.size(); }
  void take(int value) {
    const bool better = state.turn() == 0 ? value > best : value < best;
    if (next++ == 0 || better) best = value;
  }

  State state;
  std::vector<Action> moves;
  std::size_t next = 0;
  int best = 0;  // for player 0
};

State after(const State& state, Action action) {
  State next = state;
  next.apply(action);
  return next;
}

}  // namespace

std::optional<int> ExactSolver::known(const State& state) const {
  const auto found = values_.find(position_key(state));
  return found == values_.end() ? std::nullopt : std::optional<int>(found->second);
}

int ExactSolver::value(const State& state) {
  const Rules& rules = state.rules();
  if (rules.has_chance())
    throw Error("'" + rules.name() + "' has dice, and positions are solved only without.");
  if (const std::optional<int> value = known(state)) return *value;
  std::vector<Open> path(1, Open(state));
  while (!path.empty()) {
    Open& now = path.back();
    if (now.done()) {
      values_.emplace(position_key(now.state), std::int8_t(now.best));
      path.pop_back();
      continue;
    }
    const State next = after(now.state, now.moves[now.next]);
    if (const std::optional<int> value = known(next)) {
      now.take(*value);
    } else {
      if (values_.size() + path.size() >= limit_)
        throw Error(
            "'" + rules.name() + "' has more than " + std::to_string(limit_) +
            " positions: too many to look at them all. Positions nearer to the end have fewer.");
      path.emplace_back(next);
    }
  }
  return *known(state);
}

}  // namespace tabula
