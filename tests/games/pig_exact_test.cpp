#include <doctest/doctest.h>

#include "core/base/rng.h"
#include "games/pig/exact/exact.h"

using namespace tabula;
using namespace tabula::pig;

namespace {

const Optimal& optimal() {
  static const Optimal optimal;
  return optimal;
}

Rolls hold_at(int pot) {
  return [pot](int own, int, int now) { return now < pot && own + now < kGoal; };
}

// Plays a turn; returns the new score.
int turn(int own, int other, const Rolls& policy, Rng& rng) {
  int pot = 0;
  while (policy(own, other, pot)) {
    const int face = 1 + int(rng.below(6));
    if (face == 1) return own;
    pot = std::min(pot + face, kGoal - own);
  }
  return own + pot;
}

bool wins(const Rolls& first, const Rolls& second, Rng& rng) {
  int a = 0, b = 0;
  for (;;) {
    if ((a = turn(a, b, first, rng)) >= kGoal) return true;
    if ((b = turn(b, a, second, rng)) >= kGoal) return false;
  }
}

}  // namespace

TEST_CASE("pig's value is the published one") {
  CHECK(optimal().win(0, 0, 0) == doctest::Approx(kValue).epsilon(1e-9));
}

TEST_CASE("no position of pig could be played better") {
  for (int own = 0; own < kGoal; ++own)
    for (int other = 0; other < kGoal; ++other)
      for (int pot = 0; own + pot < kGoal; ++pot) {
        const double best =
            std::max(optimal().hold(own, other, pot), optimal().roll(own, other, pot));
        REQUIRE(std::abs(best - optimal().win(own, other, pot)) < 1e-12);
      }
}

TEST_CASE("the optimal policy of pig against itself wins half of the games over both seats") {
  const Seats seats = against(
      optimal(), [](int own, int other, int pot) { return optimal().rolls(own, other, pot); });
  CHECK(seats.first == doctest::Approx(kValue).epsilon(1e-9));
  CHECK(seats.mean() == doctest::Approx(0.5).epsilon(1e-12));
}

TEST_CASE("a policy's exact chances at pig are those of its games") {
  const Rolls best = [](int own, int other, int pot) { return optimal().rolls(own, other, pot); };
  Rng rng(3);
  for (int pot : {8, 20, 35}) {
    CAPTURE(pot);
    const Rolls policy = hold_at(pot);
    const Seats exact = against(optimal(), policy);
    CHECK(exact.mean() < 0.5);
    constexpr int kGames = 40000;
    int first = 0, second = 0;
    for (int i = 0; i < kGames; ++i) {
      first += wins(policy, best, rng);
      second += !wins(best, policy, rng);
    }
    CHECK(std::abs(double(first) / kGames - exact.first) < 0.01);  // four deviations
    CHECK(std::abs(double(second) / kGames - exact.second) < 0.01);
  }
}

TEST_CASE("who never holds, or never rolls, never wins at pig") {
  for (bool rolls : {true, false}) {
    const Seats seats = against(optimal(), [=](int, int, int) { return rolls; });
    CHECK(seats.first == doctest::Approx(0));
    CHECK(seats.second == doctest::Approx(0));
  }
}
