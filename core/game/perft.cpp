#include "core/game/perft.h"

#include <span>
#include <vector>

#include "core/game/playout.h"

namespace tabula {
namespace {

// One scratch state and one list of moves per depth: no allocation while counting.
class Counter {
 public:
  Counter(const State& root, int depth)
      : states_(std::size_t(depth) + 1, root),
        moves_(std::size_t(depth) * std::size_t(root.rules().max_legal())) {
    path_.reserve(std::size_t(depth));
  }

  void count(int depth) {
    const State& state = states_[std::size_t(depth)];
    if (depth == 0) {
      ++total_.sequences;
      return;
    }
    if (state.over()) {
      ++total_.ended;
      return;
    }
    const std::size_t width = std::size_t(state.rules().max_legal());
    const auto legal =
        state.legal(std::span(moves_).subspan(std::size_t(depth - 1) * width, width));
    if (depth == 1) {
      total_.sequences += legal.size();
      return;
    }
    State& next = states_[std::size_t(depth - 1)];
    for (Action action : legal) {
      next = state;
      path_.push_back(action);
      next.apply(action);
      count(depth - 1);
      path_.pop_back();
    }
  }

  const Perft& total() const { return total_; }
  std::span<const Action> path() const { return path_; }

 private:
  std::vector<State> states_;  // by plies left
  std::vector<Action> moves_, path_;
  Perft total_;
};

}  // namespace

Perft perft(const State& state, int depth) {
  Counter counter(state, depth);
  try {
    counter.count(depth);
  } catch (const GameError& e) {
    throw with_moves(e, state, counter.path());
  }
  return counter.total();
}

}  // namespace tabula
