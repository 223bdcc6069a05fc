#include <algorithm>

#include "core/game/game.h"

namespace {
using namespace tabula;

// Pig: roll a die as often as you dare, then hold to bank the sum; a 1 loses it and ends the turn.
// Who holds 100 points first wins. Solved by Neller and Presser (2004).
struct Pig : Game<Pig> {
  static constexpr auto name = "pig100";
  static constexpr int actions = 2, outcomes = 6, rows = 1, cols = 1;
  // Who never holds, or holds nothing, could go on for ever. Holding at 20 takes 150 plies and in a
  // million games never more than 450; random play takes 185, never more than 400.
  static constexpr int max_plies = 1000;
  static constexpr int kGoal = 100, kHold = 0, kRoll = 1;
  static constexpr int kRamps = 10, planes = 3 * (1 + kRamps) + 1;

  std::int32_t scores[2] = {};
  std::int32_t pot = 0;  // at most what wins: more is no better
  std::int16_t mover = 0, rolling = 0;

  bool holding_wins() const { return scores[mover] + pot >= kGoal; }
  void pass_the_die() {
    pot = 0;
    mover ^= 1;
  }

  int turn() const {
    if (scores[0] >= kGoal || scores[1] >= kGoal) return over;
    return rolling ? chance : mover;
  }
  void legal(Actions& out) const {
    rolling ? out.add_range(0, outcomes) : out.add_range(0, actions);  // constants unroll
  }
  void apply(Action action) {
    if (rolling) {
      rolling = 0;
      if (action == 0) return pass_the_die();
      pot = std::min(pot + action + 1, kGoal - scores[mover]);
    } else if (action == kRoll) {
      rolling = 1;
    } else {
      scores[mover] += pot;
      pass_the_die();
    }
  }
  int result() const { return (scores[0] > scores[1]) - (scores[0] < scores[1]); }
  int result_at_limit() const { return result(); }  // who is ahead: stalling saves nobody

  // The mover's score, the other's and the pot: as parts of 100, and once more as ramps that each
  // rise from 0 to 1 over their own ten points, so that a small network can bend anywhere.
  void encode(Planes out) const {
    int plane = 0;
    for (int points : {scores[mover], scores[mover ^ 1], pot}) {
      out(plane++, 0) = float(points) / kGoal;
      for (int ramp = 0; ramp < kRamps; ++ramp)
        out(plane++, 0) = std::clamp(float(points) * kRamps / kGoal - float(ramp), 0.f, 1.f);
    }
    out(plane, 0) = float(holding_wins());
  }

  std::string text(Action action) const {
    return rolling ? std::to_string(action + 1) : action == kHold ? "hold" : "roll";
  }
  std::string board() const {
    std::string line;
    for (int player : {0, 1}) {
      line += (player ? ", O " : "X ") + std::to_string(scores[player]);
      if (player == mover && turn() != over) line += " + " + std::to_string(pot) + " in the pot";
    }
    return line + "\n";
  }
};

}  // namespace

TABULA_GAMES(Pig)
