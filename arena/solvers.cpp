#include "arena/solvers.h"

#include <string>
#include <vector>

#include "core/base/error.h"
#include "games/connect4/solver/solver.h"

namespace tabula {
namespace {

// Wins as soon as it can, loses as late; draws from equal moves.
class Connect4Mover : public Mover {
 public:
  Action move(const State&, std::span<const Action> played, Rng& rng) override {
    std::string columns;
    for (const Action column : played) columns += char('1' + column);
    const auto position = connect4::Position::parse(columns);
    if (!position) throw Error("the solver does not know the position after " + columns + ".");
    const auto scores = solver_.move_scores(*position);
    std::vector<Action> best;
    int most = -connect4::kSquares;
    for (std::size_t column = 0; column < scores.size(); ++column) {
      if (!scores[column] || *scores[column] < most) continue;
      if (*scores[column] > most) best.clear();
      most = *scores[column];
      best.push_back(Action(column));
    }
    return best[rng.below(std::uint32_t(best.size()))];
  }

 private:
  connect4::Solver solver_;
};

}  // namespace

std::unique_ptr<Mover> solver_of(const Rules& rules) {
  if (rules.name() == "connect4") return std::make_unique<Connect4Mover>();
  return nullptr;
}

}  // namespace tabula
