// Elo of many players by maximum likelihood.
#include <doctest/doctest.h>

#include <cmath>

#include "core/arena/rating.h"
#include "core/arena/sprt.h"
#include "core/base/rng.h"

using namespace tabula;

namespace {

std::vector<RatedGame> round_robin(const std::vector<double>& elo, int games, Rng& rng) {
  std::vector<RatedGame> played;
  for (std::size_t i = 0; i < elo.size(); ++i)
    for (std::size_t j = 0; j < elo.size(); ++j)
      for (int game = 0; i != j && game < games; ++game)
        played.push_back(
            {i, j, rng.uniform() < expected_score(elo[i] - elo[j]) ? 1 : -1, rng.next()});
  return played;
}

}  // namespace

TEST_CASE("ratings of simulated players come back, and their intervals hold the truth") {
  const std::vector<double> elo = {-150, -60, 10, 200};
  Rng rng(1);
  int held = 0, tried = 0;
  for (int tournament = 0; tournament < 300; ++tournament) {
    const std::vector<Rating> rated = rate(elo.size(), round_robin(elo, 50, rng));
    for (std::size_t i = 0; i < elo.size(); ++i, ++tried) {
      CHECK(std::abs(rated[i].elo - elo[i]) < 150);
      held += rated[i].low <= elo[i] && elo[i] <= rated[i].high;
    }
  }
  CHECK(held > tried * 0.92);
  CHECK(held < tried * 0.98);
}

TEST_CASE("two players come to the logistic formula") {
  std::vector<RatedGame> games;
  for (std::uint64_t i = 0; i < 10'000; ++i) games.push_back({0, 1, i % 4 == 0 ? -1 : 1, i});
  const std::vector<Rating> rated = rate(2, games);
  CHECK(rated[0].elo - rated[1].elo == doctest::Approx(elo_of(0.75)).epsilon(0.001));
  CHECK(rated[0].elo == doctest::Approx(-rated[1].elo));
  CHECK(rated[0].points == 7500);
  CHECK(rated[1].points == 2500);
  CHECK(rated[0].games == 10'000);
}

TEST_CASE("clean sweeps and players who met nobody stay finite") {
  std::vector<RatedGame> games;
  for (std::uint64_t i = 0; i < 500; ++i) games.push_back({0, 1, 1, i});
  const std::vector<Rating> rated = rate(3, games);
  CHECK(rated[0].elo > rated[2].elo);
  CHECK(rated[2].elo > rated[1].elo);
  for (const Rating& rating : rated) {
    CHECK(std::isfinite(rating.low));
    CHECK(std::isfinite(rating.high));
    CHECK(rating.low < rating.elo);
    CHECK(rating.elo < rating.high);
  }
  CHECK(rate(0, {}).empty());
  CHECK(rate(1, {})[0].elo == doctest::Approx(0));
}

TEST_CASE("players who never met are compared through those who met both") {
  std::vector<RatedGame> games;
  for (std::uint64_t i = 0; i < 400; ++i) {
    games.push_back({0, 1, i % 4 == 0 ? -1 : 1, i});
    games.push_back({1, 2, i % 4 == 0 ? -1 : 1, i});
  }
  const std::vector<Rating> rated = rate(3, games);
  CHECK(rated[0].elo - rated[2].elo == doctest::Approx(2 * elo_of(0.75)).epsilon(0.02));
}

TEST_CASE("games are distinct if a player, a colour or a move differs") {
  const std::vector<RatedGame> games = {
      {0, 1, 1, 7}, {0, 1, 1, 7}, {1, 0, 1, 7}, {0, 1, 1, 8}, {0, 2, 1, 7}};
  CHECK(distinct_games(games) == 4);
  const std::vector<Rating> rated = rate(3, games);
  CHECK(rated[0].games == 5);
  CHECK(rated[0].distinct == 4);
  CHECK(rated[2].distinct == 1);
}
