#include "games/pig/exact/exact.h"

#include <algorithm>
#include <cmath>

namespace tabula::pig {
namespace {

std::size_t index(int own, int other, int pot) {
  return std::size_t((own * kGoal + other) * (kGoal + 1) + pot);
}

// Visits pairs of scores so that those that banking leads to come before those that it starts from.
template <class Visit>
void each_pair(Visit visit) {
  for (int sum = 2 * (kGoal - 1); sum >= 0; --sum)
    for (int own = std::max(0, sum - (kGoal - 1)); own <= std::min(sum, kGoal - 1); ++own)
      visit(own, sum - own);
}

// A chance of winning as constant + slope * x, where x is the chance after a turn that banked
// nothing.
struct Line {
  double constant = 0, slope = 0;
};

// One turn from an empty pot. rolls(pot); banked(pot) is the chance after banking pot > 0.
template <class RollsAt, class Banked>
Line turn(int own, RollsAt rolls, Banked banked) {
  const int most = kGoal - own;
  std::vector<Line> lines(std::size_t(most + 1));
  const Line nothing{0, 1}, won{1, 0};
  // Who goes on rolling with what wins loses the pot sooner or later.
  lines[std::size_t(most)] = rolls(most) ? nothing : won;
  for (int pot = most - 1; pot >= 0; --pot) {
    Line& line = lines[std::size_t(pot)];
    if (!rolls(pot)) {
      line = pot == 0 ? nothing : Line{banked(pot), 0};
      continue;
    }
    line.slope = 1. / 6;
    for (int face = 2; face <= 6; ++face) {
      const Line& next = lines[std::size_t(std::min(pot + face, most))];
      line.constant += next.constant / 6;
      line.slope += next.slope / 6;
    }
  }
  return lines[0];
}

}  // namespace

Optimal::Optimal() : values_(std::size_t(kGoal * kGoal * (kGoal + 1)), 0.5) {
  each_pair([&](int own, int other) {
    if (own > other) return;  // each pair once, together with its image
    while (std::max(improve(own, other), improve(other, own)) > 1e-14) {}
  });
}

double Optimal::improve(int own, int other) {
  double change = 0;
  for (int pot = kGoal - own; pot >= 0; --pot) {
    double& value = values_[index(own, other, pot)];
    const double better = std::max(hold(own, other, pot), roll(own, other, pot));
    change = std::max(change, std::abs(better - value));
    value = better;
  }
  return change;
}

double Optimal::win(int own, int other, int pot) const {
  return own + pot >= kGoal ? 1 : values_[index(own, other, pot)];
}

double Optimal::hold(int own, int other, int pot) const {
  return own + pot >= kGoal ? 1 : 1 - win(other, own + pot, 0);
}

double Optimal::roll(int own, int other, int pot) const {
  double sum = 1 - win(other, own, 0);
  for (int face = 2; face <= 6; ++face) sum += win(own, other, pot + face);
  return sum / 6;
}

Seats against(const Optimal& optimal, const Rolls& policy) {
  // Of the policy and of its opponent, each when it is to move with an empty pot.
  std::vector<double> ours(std::size_t(kGoal * kGoal)), theirs(ours.size());
  const auto at = [](int own, int other) { return std::size_t(own * kGoal + other); };
  each_pair([&](int own, int other) {
    const Line our = turn(
        own, [&](int pot) { return policy(own, other, pot); },
        [&](int pot) { return 1 - theirs[at(other, own + pot)]; });
    const Line their = turn(
        other, [&](int pot) { return optimal.rolls(other, own, pot); },
        [&](int pot) { return 1 - ours[at(own, other + pot)]; });
    // our = a + b (1 - their), their = c + d (1 - our); the optimal player banks, so d < 1.
    const double rest = our.constant + our.slope * (1 - their.constant - their.slope);
    ours[at(own, other)] = rest / (1 - our.slope * their.slope);
    theirs[at(other, own)] = their.constant + their.slope * (1 - ours[at(own, other)]);
  });
  return {ours[at(0, 0)], 1 - theirs[at(0, 0)]};
}

}  // namespace tabula::pig
