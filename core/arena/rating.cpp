#include "core/arena/rating.h"

#include <cmath>
#include <set>
#include <tuple>

namespace tabula {
namespace {

constexpr double kEloPerLogit = 400 / 2.302585092994046;
constexpr double kPriorGames = 1;
constexpr double kNormal95 = 1.959963984540054;

struct Table {
  explicit Table(std::size_t n) : size(n), points(n * n), games(n * n) {}
  std::size_t size;
  std::vector<double> points, games;  // [player][opponent]

  void add(std::size_t player, std::size_t opponent, double score) {
    points[player * size + opponent] += score;
    games[player * size + opponent] += 1;
  }
};

using Matrix = std::vector<std::vector<double>>;

double win_chance(double difference) { return 1 / (1 + std::exp(-difference)); }

// Solves A X = B for a symmetric positive definite A, by Gauss and Jordan. B becomes X.
void solve(Matrix a, Matrix& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double pivot = a[i][i];
    for (double& x : a[i]) x /= pivot;
    for (double& x : b[i]) x /= pivot;
    for (std::size_t row = 0; row < a.size(); ++row) {
      const double factor = a[row][i];
      if (row == i || factor == 0) continue;
      for (std::size_t k = 0; k < a.size(); ++k) a[row][k] -= factor * a[i][k];
      for (std::size_t k = 0; k < b[row].size(); ++k) b[row][k] -= factor * b[i][k];
    }
  }
}

// The gradient of the log-likelihood, and its negated second derivatives: Fisher's information.
struct Slope {
  Matrix gradient, information;
};

Slope slope_at(const Table& table, const std::vector<double>& ratings) {
  const std::size_t n = table.size;
  Slope slope{Matrix(n, std::vector<double>(1)), Matrix(n, std::vector<double>(n))};
  for (std::size_t i = 0; i < n; ++i) {
    const double imagined = win_chance(ratings[i]);
    slope.gradient[i][0] += kPriorGames * (0.5 - imagined);
    slope.information[i][i] += kPriorGames * imagined * (1 - imagined);
    for (std::size_t j = 0; j < n; ++j) {
      const double games = table.games[i * n + j];
      if (games == 0) continue;
      const double chance = win_chance(ratings[i] - ratings[j]);
      slope.gradient[i][0] += table.points[i * n + j] - games * chance;
      slope.information[i][i] += games * chance * (1 - chance);
      slope.information[i][j] -= games * chance * (1 - chance);
    }
  }
  return slope;
}

// Newton's method with short steps: the likelihood is concave, so it comes to the one maximum.
std::vector<double> likeliest(const Table& table) {
  std::vector<double> ratings(table.size);
  for (int step = 0; step < 1000; ++step) {
    Slope slope = slope_at(table, ratings);
    solve(std::move(slope.information), slope.gradient);
    double most = 0;
    for (const auto& move : slope.gradient) most = std::max(most, std::abs(move[0]));
    const double shorten = most > 1 ? 1 / most : 1;
    for (std::size_t i = 0; i < ratings.size(); ++i) ratings[i] += shorten * slope.gradient[i][0];
    if (most < 1e-10) break;
  }
  return ratings;
}

// Variances of the ratings' distances from their mean.
std::vector<double> variances(const Table& table, const std::vector<double>& ratings) {
  const std::size_t n = table.size;
  Matrix covariance(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i) covariance[i][i] = 1;
  solve(slope_at(table, ratings).information, covariance);
  std::vector<double> row_means(n);
  double mean = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (const double x : covariance[i]) row_means[i] += x / double(n);
    mean += row_means[i] / double(n);
  }
  std::vector<double> out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = covariance[i][i] - 2 * row_means[i] + mean;
  return out;
}

using GameKey = std::tuple<std::size_t, std::size_t, std::uint64_t>;
GameKey key_of(const RatedGame& game) { return {game.first, game.second, game.moves}; }

}  // namespace

std::vector<Rating> rate(std::size_t players, std::span<const RatedGame> games) {
  if (players == 0) return {};
  std::vector<Rating> rated(players);
  std::vector<std::set<GameKey>> seen(players);
  Table table(players);
  for (const RatedGame& game : games) {
    const double score = (game.result + 1) / 2.0;
    table.add(game.first, game.second, score);
    table.add(game.second, game.first, 1 - score);
    for (const auto& [player, points] :
         {std::pair(game.first, score), std::pair(game.second, 1 - score)}) {
      rated[player].points += points;
      ++rated[player].games;
      seen[player].insert(key_of(game));
    }
  }
  const std::vector<double> ratings = likeliest(table), spread = variances(table, ratings);
  double mean = 0;
  for (const double x : ratings) mean += x / double(players);
  for (std::size_t i = 0; i < players; ++i) {
    const double off = kNormal95 * std::sqrt(std::max(0.0, spread[i])) * kEloPerLogit;
    rated[i].elo = (ratings[i] - mean) * kEloPerLogit;
    rated[i].low = rated[i].elo - off;
    rated[i].high = rated[i].elo + off;
    rated[i].distinct = std::uint32_t(seen[i].size());
  }
  return rated;
}

std::uint32_t distinct_games(std::span<const RatedGame> games) {
  std::set<GameKey> seen;
  for (const RatedGame& game : games) seen.insert(key_of(game));
  return std::uint32_t(seen.size());
}

}  // namespace tabula
