#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "games/connect4/solver/position.h"

namespace tabula::connect4 {

// Solves Connect Four exactly. A score is seen from the side to move: above 0 it wins, 0 is a draw;
// the magnitude is 22 minus the number of stones the winner has played when it wins.
// Answers stay in the table, so later questions about nearby positions are cheaper.
// Not thread-safe: use one Solver per thread.
class Solver {
 public:
  static constexpr std::size_t kDefaultTableBytes = std::size_t{64} << 20;

  // Rounds the table down to a power of two. Memory is touched only as the table fills.
  explicit Solver(std::size_t table_bytes = kDefaultTableBytes);
  ~Solver();

  // requires, for all four: the game is not over.
  int score(const Position& position);
  int sign(const Position& position);               // -1, 0 or 1: of the score, for less work
  bool above(const Position& position, int bound);  // score() > bound, for less work still
  std::array<std::optional<int>, kColumns> move_scores(
      const Position& position, const std::function<void(int column, int score)>& on_score = {});

  std::uint64_t nodes() const { return nodes_; }  // visited since construction

 private:
  class Table;
  struct Range;

  Range narrow(const Position& position, bool sign_only);
  int search(const Position& position, int alpha);
  int search_moves(const Position& position, Cells moves, int alpha);

  std::unique_ptr<Table> table_;
  std::uint64_t nodes_ = 0;
};

}  // namespace tabula::connect4
