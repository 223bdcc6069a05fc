// What players are worth against the truth. Every measure has a row for each player alone, if its
// priors say anything, and one with search, if there are simulations.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/truth/exact_play.h"
#include "core/truth/judged.h"
#include "front/eval/pig.h"
#include "front/eval/players.h"

namespace tabula {

struct PositionRow {
  std::string player;
  int simulations;
  Score score;
};
std::vector<PositionRow> measure_positions(std::span<const Judged> positions,
                                           std::span<const EvalPlayer> players,
                                           const Choosing& choosing);

// Chances at Pig against optimal play.
struct PigRow {
  std::string player;
  int simulations;
  pig::Seats seats;
};
std::vector<PigRow> measure_pig(const Rules& rules, std::span<const EvalPlayer> players,
                                const Choosing& choosing);

// Every line of play, by seat: against exact replies, and against any.
struct LinesRow {
  std::string player;
  int simulations;
  ExactPlay exact[2], any[2];
};
std::vector<LinesRow> measure_lines(const Rules& rules, std::span<const EvalPlayer> players,
                                    const Choosing& choosing);

}  // namespace tabula
