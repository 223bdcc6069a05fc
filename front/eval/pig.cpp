#include "front/eval/pig.h"

#include <algorithm>

#include "front/eval/progress.h"

namespace tabula {
namespace {

using pig::kGoal;

constexpr Action kHold = 0, kRoll = 1;
constexpr int kLeast = 2, kMost = 6;  // faces that count; a face is the outcome plus 1

void roll(State& state, int face) {
  state.apply(kRoll);
  state.apply(face - 1);
}

// Rolls until the pot is `points`; it is 1 only where a single point wins.
void roll_up(State& state, int points) {
  while (points > 0) {
    const int face = points == kMost + 1 ? kMost - 1 : std::clamp(points, kLeast, kMost);
    roll(state, face);
    points -= face;
  }
}

bool can_be(int score) { return score != 1; }

// The first player's turn, with these scores and an empty pot.
State with_scores(const Rules& rules, int own, int other) {
  State state(rules);
  for (int score : {own, other}) {
    roll_up(state, score);
    state.apply(kHold);
  }
  return state;
}

struct Node {
  int own, other;
  State state;
};

// The player's decisions. Pots are taken in order, so what a pot can grow into is asked later;
// those that its own play never reaches are not asked at all.
class Decisions {
 public:
  Decisions(const Rules& rules, MoveChooser& player)
      : rolls_(std::size_t(kGoal * kGoal * (kGoal + 1)), false), reached_(rolls_) {
    std::vector<Node> starts;
    for (int own = 0; own < kGoal; ++own)
      for (int other = 0; other < kGoal; ++other) {
        if (!can_be(own) || !can_be(other)) continue;
        starts.push_back({own, other, with_scores(rules, own, other)});
        reached_[index(own, other, 0)] = true;
      }
    Progress progress("asking for each decision at Pig, pot by pot", std::size_t(kGoal));
    for (int pot = 0; pot <= kGoal; ++pot) {
      progress.at(std::size_t(pot));
      ask(starts, pot, player);
    }
  }

  bool rolls(int own, int other, int pot) const { return rolls_[index(own, other, pot)]; }

 private:
  static std::size_t index(int own, int other, int pot) {
    return std::size_t((own * kGoal + other) * (kGoal + 1) + pot);
  }

  void ask(const std::vector<Node>& starts, int pot, MoveChooser& player) {
    std::vector<const Node*> asked;
    std::vector<State> states;
    for (const Node& start : starts) {
      if (!reached_[index(start.own, start.other, pot)]) continue;
      asked.push_back(&start);
      states.push_back(start.state);
      roll_up(states.back(), pot);
    }
    const std::vector<std::size_t> choices = player.choose(states);
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const auto& [own, other, state] = *asked[i];
      if (choices[i] != std::size_t(kRoll)) continue;
      rolls_[index(own, other, pot)] = true;
      for (int face = kLeast; face <= kMost; ++face)
        reached_[index(own, other, std::min(pot + face, kGoal - own))] = true;
    }
  }

  std::vector<bool> rolls_, reached_;
};

}  // namespace

pig::Seats pig_strength(const Rules& rules, const MakeEvaluator& player, const Choosing& choosing) {
  MoveChooser chooser(player, choosing);
  const Decisions decisions(rules, chooser);
  static const pig::Optimal optimal;
  return pig::against(
      optimal, [&](int own, int other, int pot) { return decisions.rolls(own, other, pot); });
}

}  // namespace tabula
