#include "front/eval/connect4.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "core/truth/crew.h"
#include "front/eval/connect4_cache.h"
#include "front/eval/progress.h"
#include "games/connect4/solver/solver.h"

namespace tabula {
namespace {

using connect4::Position;
using connect4::Solver;

// Whether a move keeps the position's sign: one null window each, which is less work than its
// score.
bool keeps(Solver& solver, const Position& position, connect4::Cells cell, int sign) {
  const Position next = position.after(cell);
  if (position.winning() & cell) return true;
  if (next.over()) return sign <= 0;
  return sign < 0 || !solver.above(next, -sign);
}

Connect4Verdict verdict_on(Solver& solver, const Position& position, std::optional<int> known) {
  Connect4Verdict verdict{known ? *known : solver.sign(position), {}};
  for (int column = 0; column < connect4::kColumns; ++column)
    if (const connect4::Cells cell = position.legal(column))
      verdict.keeps.push_back(keeps(solver, position, cell, verdict.sign));
  return verdict;
}

void check(const Connect4Verdict& verdict, const Connect4Line& line) {
  const bool contradicted = line.sign && *line.sign != verdict.sign;
  if (contradicted || std::ranges::count(verdict.keeps, true) == 0)
    throw Error(line.source + ": the score cannot be: no move comes to it.");
}

State state_after(const Rules& rules, const std::string& moves) {
  State state(rules);
  for (char move : moves) state.apply(move - '1');
  return state;
}

}  // namespace

std::vector<Judged> judge_connect4(const Rules& rules, const std::vector<Connect4Line>& lines,
                                   const Judging& judging) {
  Connect4Cache cache(judging.cache);
  std::vector<Connect4Verdict> verdicts(lines.size());
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::size_t done = 0;
  Progress progress("judging positions by the solver", lines.size());
  work_together(judging.threads, [&](int) {
    Solver solver;
    for (std::size_t i = next++; i < lines.size(); i = next++) {
      const Position position = *Position::parse(lines[i].moves);
      const std::optional<Connect4Verdict> cached = cache.find(position.key());
      verdicts[i] = cached ? *cached : verdict_on(solver, position, lines[i].sign);
      check(verdicts[i], lines[i]);
      if (!cached) cache.add(position.key(), verdicts[i]);
      const std::lock_guard lock(mutex);
      progress.at(++done);
    }
  });
  cache.write();
  std::vector<Judged> positions;
  for (std::size_t i = 0; i < lines.size(); ++i)
    positions.push_back({state_after(rules, lines[i].moves), verdicts[i].sign, verdicts[i].keeps});
  return positions;
}

}  // namespace tabula
