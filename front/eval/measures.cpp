#include "front/eval/measures.h"

#include "front/eval/progress.h"

namespace tabula {
namespace {

template <class Measure>
void each_use(std::span<const EvalPlayer> players, const Choosing& choosing, Measure measure) {
  Choosing alone = choosing;
  alone.search.simulations = 0;
  for (const EvalPlayer& player : players) {
    if (player.alone) measure(player.name, player.alone, alone);
    if (choosing.search.simulations > 0) measure(player.name, player.searching, choosing);
  }
}

}  // namespace

std::vector<PositionRow> measure_positions(std::span<const Judged> positions,
                                           std::span<const EvalPlayer> players,
                                           const Choosing& choosing) {
  std::vector<State> states;
  for (const Judged& position : positions) states.push_back(position.state);
  std::vector<PositionRow> rows;
  each_use(players, choosing,
           [&](const std::string& name, const MakeEvaluator& make, const Choosing& use) {
             Progress progress(name + " chooses moves", states.size());
             const auto choices = MoveChooser(make, use).choose(
                 states, [&](std::size_t done) { progress.at(done); });
             rows.push_back({name, use.search.simulations, score_of(positions, choices)});
           });
  return rows;
}

std::vector<PigRow> measure_pig(const Rules& rules, std::span<const EvalPlayer> players,
                                const Choosing& choosing) {
  std::vector<PigRow> rows;
  each_use(players, choosing,
           [&](const std::string& name, const MakeEvaluator& make, const Choosing& use) {
             rows.push_back({name, use.search.simulations, pig_strength(rules, make, use)});
           });
  return rows;
}

std::vector<LinesRow> measure_lines(const Rules& rules, std::span<const EvalPlayer> players,
                                    const Choosing& choosing) {
  ExactSolver solver;
  std::vector<LinesRow> rows;
  each_use(players, choosing,
           [&](const std::string& name, const MakeEvaluator& make, const Choosing& use) {
             LinesRow row{name, use.search.simulations, {}, {}};
             MoveChooser moves(make, use);
             const Chooser chooser = [&](std::span<const State> states) {
               return moves.choose(states);
             };
             for (int seat : {0, 1}) {
               row.exact[seat] = play_every_line(rules, seat, Replies::exact, solver, chooser);
               row.any[seat] = play_every_line(rules, seat, Replies::any, solver, chooser);
             }
             rows.push_back(row);
           });
  return rows;
}

}  // namespace tabula
