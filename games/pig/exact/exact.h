// Pig to 100 points, exactly. A position is the mover's score, the other's and the pot, which is at
// most what wins. The game's limit of plies is left out: it is out of reach of play that holds now
// and then.
#pragma once
#include <functional>
#include <vector>

namespace tabula::pig {

constexpr int kGoal = 100;
constexpr double kValue = 0.5305927253;  // of the start for who begins (Neller and Presser, 2004)

// The chances of winning when both play best, by value iteration.
class Optimal {
 public:
  Optimal();

  double win(int own, int other, int pot) const;   // of the mover
  double hold(int own, int other, int pot) const;  // if it holds now, or rolls
  double roll(int own, int other, int pot) const;
  bool rolls(int own, int other, int pot) const {
    return roll(own, other, pot) > hold(own, other, pot);
  }

 private:
  double improve(int own, int other);  // the pots of one pair of scores; returns the change
  std::vector<double> values_;
};

using Rolls = std::function<bool(int own, int other, int pot)>;  // or else holds

// A policy's chances against the optimal one, exactly: at each pair of scores the two turns are a
// pair of linear equations.
struct Seats {
  double first = 0, second = 0;  // when it begins, and when the other does
  double mean() const { return (first + second) / 2; }
};
Seats against(const Optimal& optimal, const Rolls& policy);

}  // namespace tabula::pig
