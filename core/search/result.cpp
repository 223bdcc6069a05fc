#include "core/search/result.h"

#include <algorithm>
#include <cmath>

#include "core/base/portable_math.h"
#include "core/search/search.h"

namespace tabula {
namespace {

int proven_for(Bounds bounds, int player) {
  return bounds.settled() ? bounds.seen_by(player).low() : 2;
}

void fill_moves(const Tree& tree, SearchResult& out) {
  const int player = tree.root().turn;
  out.moves.resize(tree.root().width);
  for (std::size_t i = 0; i < out.moves.size(); ++i) {
    const Edge& edge = tree.edges(kRoot)[i];
    out.moves[i] = {.action = tree.actions(kRoot)[i],
                    .visits = edge.visits,
                    .prior = tree.priors(kRoot)[i],
                    .target = 0,
                    .value = for_player(edge.value, player),
                    .bound = lower_bound(tree.move_tallies()[i], player, 2),
                    .proven = proven_for(tree.bounds(edge), player)};
  }
}

void normalise(std::vector<MoveResult>& moves) {
  float sum = 0;
  for (const MoveResult& move : moves) sum += move.target;
  for (MoveResult& move : moves)
    move.target = sum > 0 ? move.target / sum : 1 / float(moves.size());
}

// The shortest proven win, or any proven draw, or the longest proven loss.
std::size_t proven_best(const Tree& tree, const SearchResult& result) {
  std::size_t best = 0;
  int best_rank = 1 << 30;
  for (std::size_t i = 0; i < result.moves.size(); ++i) {
    const Edge& edge = tree.edges(kRoot)[i];
    if (result.moves[i].proven != result.proven) continue;
    const int distance = tree.node(edge.child).distance;
    const int rank = result.proven > 0 ? distance : -distance;
    if (rank < best_rank) {
      best = i;
      best_rank = rank;
    }
  }
  return best;
}

// Proven to lose, or not proven to come to what the position is proven to be worth.
bool worse(const MoveResult& move, const SearchResult& result) {
  return result.proven == 2 ? move.proven == -1 : move.proven != result.proven;
}

std::size_t most_visited(const SearchResult& result) {
  const auto better = [](const MoveResult& a, const MoveResult& b) {
    if (a.proven == -1 || b.proven == -1) return a.proven == -1 && b.proven != -1;
    return a.visits != b.visits ? a.visits < b.visits : a.value < b.value;
  };
  return std::size_t(std::ranges::max_element(result.moves, better) - result.moves.begin());
}

}  // namespace

void Search::result(SearchResult& out) const {
  const Node& root = tree_.root();
  fill_moves(tree_, out);
  out.proven = proven_for(root.bounds, root.turn);
  out.distance = root.distance;
  const Tally& tally = tree_.root_tally();
  const float mean = for_player(tally.value, root.turn);
  // Dice average the mean over all outcomes but the draws over those drawn, so they may disagree.
  const float draw = std::min(tally.draw, std::max(0.f, 1 - std::abs(mean)));
  out.value = out.proven != 2 ? Wdl::certain(out.proven)
                              : Wdl{(1 - draw + mean) / 2, draw, (1 - draw - mean) / 2};

  const Moves moves = moves_of(kRoot, tally.value);
  floats_.resize(out.moves.size());
  const std::span<float> targets = floats_;
  if (config_.method == Method::gumbel)
    improved_policy(moves, root.own, config_, targets);
  else
    for (std::size_t i = 0; i < targets.size(); ++i) targets[i] = float(out.moves[i].visits);
  if (config_.method == Method::puct && explore_ && config_.forced_playouts > 0)
    prune_visits(moves, config_, targets);
  if (out.proven == 2) {
    out.best = config_.method == Method::gumbel ? halving_.winner(moves, root.own, config_)
                                                : most_visited(out);
  } else {
    out.best = proven_best(tree_, out);
  }
  for (std::size_t i = 0; i < targets.size(); ++i)
    out.moves[i].target = worse(out.moves[i], out) ? 0 : targets[i];
  normalise(out.moves);
}

std::size_t draw_move(const SearchResult& result, float temperature, Rng& rng) {
  if (temperature <= 0 || (result.proven != 2 && result.proven != 0)) return result.best;
  float sum = 0, most = 1;
  for (const MoveResult& move : result.moves) most = std::max(most, float(move.visits));
  const auto weight = [&](const MoveResult& move) {
    if (worse(move, result)) return 0.f;
    return move.visits ? portable_pow(float(move.visits) / most, 1 / temperature) : 0.f;
  };
  for (const MoveResult& move : result.moves) sum += weight(move);
  if (sum <= 0) return result.best;
  float left = rng.uniform() * sum;
  std::size_t last = result.best;
  for (std::size_t i = 0; i < result.moves.size(); ++i) {
    const float w = weight(result.moves[i]);
    if (w <= 0) continue;
    last = i;
    if ((left -= w) < 0) break;
  }
  return last;
}

std::size_t safest_move(const SearchResult& result) {
  if (result.proven != 2) return result.best;
  std::uint32_t most = 0;
  for (const MoveResult& move : result.moves) most = std::max(most, move.visits);
  std::size_t safest = result.best;
  for (std::size_t i = 0; i < result.moves.size(); ++i) {
    const MoveResult& move = result.moves[i];
    if (move.visits == 0 || move.visits * 10 < most || move.proven == -1) continue;
    if (move.bound > result.moves[safest].bound) safest = i;
  }
  return safest;
}

}  // namespace tabula
