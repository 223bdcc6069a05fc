#include "core/search/gumbel.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "core/base/portable_math.h"

namespace tabula {
namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

float log_prior(float prior) { return portable_log(std::max(prior, 1e-9f)); }
float as_share(float value, int player) { return (for_player(value, player) + 1) / 2; }

// sigma(completed value) for each move, values counted from 0 to 1.
void completed_values(const Moves& moves, float node_value, const SearchConfig& config,
                      std::span<float> out) {
  float mass = 0, weighted = 0;
  std::uint32_t visits = 0, most = 0;
  for (std::size_t i = 0; i < moves.edges.size(); ++i) {
    const Edge& edge = moves.edges[i];
    visits += edge.visits;
    most = std::max(most, edge.visits);
    if (edge.visits == 0) continue;
    mass += moves.priors[i];
    weighted += moves.priors[i] * as_share(edge.value, moves.player);
  }
  const float own = as_share(node_value, moves.player);
  const float mixed = mass > 0 ? (own + float(visits) * weighted / mass) / float(1 + visits) : own;
  const float scale = (config.c_visit + float(most)) * config.c_scale;
  for (std::size_t i = 0; i < moves.edges.size(); ++i) {
    const Edge& edge = moves.edges[i];
    out[i] = scale * (edge.visits ? as_share(edge.value, moves.player) : mixed);
  }
}

// How often the move of each simulation was tried before: m moves in turn, then the better half of
// them, and so on, every round getting about the same number of simulations.
void plan_visits(int moves, int simulations, std::vector<std::uint32_t>& visits,
                 std::vector<std::uint32_t>& plan) {
  plan.clear();
  visits.assign(std::size_t(std::max(moves, 1)), 0);
  const int rounds = std::max(1, int(std::bit_width(unsigned(std::max(moves, 2) - 1))));
  for (int left = moves; int(plan.size()) < simulations; left = std::max(2, left / 2)) {
    left = std::min(left, moves);
    const int each = std::max(1, simulations / (rounds * left));
    for (int i = 0; i < each && int(plan.size()) < simulations; ++i)
      for (int m = 0; m < left; ++m) plan.push_back(visits[std::size_t(m)]++);
  }
  plan.resize(std::size_t(simulations));
}

}  // namespace

void improved_policy(const Moves& moves, float node_value, const SearchConfig& config,
                     std::span<float> out) {
  completed_values(moves, node_value, config, out);
  float highest = kNever, sum = 0;
  for (std::size_t i = 0; i < out.size(); ++i)
    highest = std::max(highest, out[i] += log_prior(moves.priors[i]));
  for (float& x : out) sum += x = portable_exp(x - highest);
  for (float& x : out) x /= sum;
}

std::uint32_t choose_improved(const Moves& moves, float node_value, const SearchConfig& config,
                              std::vector<float>& scratch) {
  scratch.resize(moves.edges.size());
  improved_policy(moves, node_value, config, scratch);
  std::uint32_t best = 0;
  float furthest = kNever;
  for (std::uint32_t i = 0; i < moves.edges.size(); ++i) {
    const Edge& edge = moves.edges[i];
    const float behind = scratch[i] - float(edge.visits + edge.pending) / float(1 + moves.visits);
    if (behind > furthest && !edge.closed) {
      furthest = behind;
      best = i;
    }
  }
  return best;
}

void SequentialHalving::reserve(std::size_t moves) {
  noise_.reserve(moves);
  scratch_.reserve(moves);
  rounds_.reserve(moves);
}

void SequentialHalving::start(std::span<const float> priors, const SearchConfig& config, bool noise,
                              Rng& rng) {
  noise_.assign(priors.size(), 0.f);
  if (noise)
    for (float& g : noise_) g = -portable_log(-portable_log(std::max(rng.uniform(), 1e-9f)));
  scratch_.resize(priors.size());
  plan_visits(std::min(config.considered, int(priors.size())), config.simulations, rounds_,
              visits_due_);
}

std::uint32_t SequentialHalving::choose(const Moves& moves, float node_value,
                                        const SearchConfig& config, std::uint32_t simulation) {
  const std::size_t last = visits_due_.size() - 1;
  return best_with(visits_due_[std::min<std::size_t>(simulation, last)], moves, node_value, config);
}

std::uint32_t SequentialHalving::winner(const Moves& moves, float node_value,
                                        const SearchConfig& config) {
  std::uint32_t most = 0;
  for (const Edge& edge : moves.edges) most = std::max(most, edge.visits);
  return best_with(most, moves, node_value, config);
}

// The best by noise, prior and value of the moves that were tried exactly `visits` times; of all,
// if there is none (proven moves are not tried again, so the plan may not come out even).
std::uint32_t SequentialHalving::best_with(std::uint32_t visits, const Moves& moves,
                                           float node_value, const SearchConfig& config) {
  completed_values(moves, node_value, config, scratch_);
  std::uint32_t best = 0;
  float best_score = kNever;
  bool best_due = false;
  for (std::uint32_t i = 0; i < moves.edges.size(); ++i) {
    const Edge& edge = moves.edges[i];
    const bool due = edge.visits + edge.pending == visits;
    const float score = noise_[i] + log_prior(moves.priors[i]) + scratch_[i];
    if (edge.closed) continue;
    if (due > best_due || (due == best_due && score > best_score)) {
      best = i;
      best_score = score;
      best_due = due;
    }
  }
  return best;
}

}  // namespace tabula
