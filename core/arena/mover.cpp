#include "core/arena/mover.h"

#include <algorithm>
#include <vector>

namespace tabula {
namespace {

class RandomMover : public Mover {
 public:
  Action move(const State& state, std::span<const Action>, Rng& rng) override {
    const std::vector<Action> legal = state.legal();
    return legal[rng.below(std::uint32_t(legal.size()))];
  }
};

constexpr double kAnything = 2;              // beyond every value
constexpr double kPerPly = 1.0 / (1 << 20);  // what a ply takes off a win

// Values are for player 0.
class Minimax : public Mover {
 public:
  explicit Minimax(int depth) : depth_(depth) {}

  Action move(const State& state, std::span<const Action>, Rng& rng) override {
    root_ply_ = state.ply();
    std::vector<Action> moves = state.legal();
    for (std::size_t i = moves.size(); i > 1; --i)
      std::swap(moves[i - 1], moves[rng.below(std::uint32_t(i))]);
    const int sign = state.turn() == 0 ? 1 : -1;
    Action best = moves[0];
    double most = -kAnything;
    for (const Action action : moves) {
      const double window = sign * most;
      const double value = sign > 0 ? after(state, action, depth_ - 1, window, kAnything)
                                    : after(state, action, depth_ - 1, -kAnything, window);
      if (sign * value <= most) continue;
      most = sign * value;
      best = action;
    }
    return best;
  }

 private:
  double after(const State& state, Action action, int depth, double alpha, double beta) {
    State next = state;
    next.apply(action);
    return value(next, depth, alpha, beta);
  }

  double value(const State& state, int depth, double alpha, double beta) {
    if (state.over()) return state.result() * (1 - kPerPly * (state.ply() - root_ply_));
    if (state.at_chance()) return expectation(state, depth);
    if (depth == 0) return 0;
    const bool first = state.turn() == 0;
    double best = first ? -kAnything : kAnything;
    for (const Action action : state.legal()) {
      const double found = after(state, action, depth - 1, alpha, beta);
      best = first ? std::max(best, found) : std::min(best, found);
      (first ? alpha : beta) = first ? std::max(alpha, best) : std::min(beta, best);
      if (alpha >= beta) break;
    }
    return best;
  }

  double expectation(const State& state, int depth) {
    const std::vector<Action> outcomes = state.legal();
    std::vector<float> odds(outcomes.size());
    state.odds(outcomes, odds);
    double sum = 0;
    for (std::size_t i = 0; i < outcomes.size(); ++i)
      sum += double(odds[i]) * after(state, outcomes[i], depth, -kAnything, kAnything);
    return sum;
  }

  int root_ply_ = 0;
  int depth_;
};

}  // namespace

std::unique_ptr<Mover> random_mover() { return std::make_unique<RandomMover>(); }
std::unique_ptr<Mover> minimax_mover(int depth) { return std::make_unique<Minimax>(depth); }

}  // namespace tabula
