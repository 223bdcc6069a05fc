#include "arena/solvers.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "games/connect4/solver/solver.h"

namespace tabula {
namespace {

using connect4::Position;

constexpr int kScoredFrom = 16;  // stones; before, exact scores take too long

// Keeps the value of the game. From 16 stones on it also wins as soon as it can, and loses as late.
// Draws from equal moves.
class Connect4Mover : public Mover {
 public:
  Action move(const State&, std::span<const Action> played, Rng& rng) override {
    std::string columns;
    for (const Action column : played) columns += char('1' + column);
    const auto position = Position::parse(columns);
    if (!position) throw Error("the solver does not know the position after " + columns + ".");
    std::vector<Action> best;
    int most = -connect4::kSquares;
    for (int column = 0; column < connect4::kColumns; ++column) {
      const connect4::Cells cell = position->legal(column);
      if (!cell) continue;
      const int worth = worth_of(*position, cell);
      if (worth > most) best.clear();
      if (worth >= most) best.push_back(Action(column));
      most = std::max(most, worth);
    }
    return best[rng.below(std::uint32_t(best.size()))];
  }

 private:
  int worth_of(const Position& position, connect4::Cells cell) {
    const Position next = position.after(cell);
    if (next.over()) return position.winning() & cell ? connect4::kSquares : 0;
    return position.stones() < kScoredFrom ? -solver_.sign(next) : -solver_.score(next);
  }

  connect4::Solver solver_;
};

}  // namespace

std::unique_ptr<Mover> solver_of(const Rules& rules) {
  if (rules.name() == "connect4") return std::make_unique<Connect4Mover>();
  return nullptr;
}

}  // namespace tabula
