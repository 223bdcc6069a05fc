#include "core/search/search.h"

#include <algorithm>
#include <cassert>

#include "core/search/noise.h"

namespace tabula {
namespace {

// A visit that a proof answers costs no evaluation, so it does not count against the budget: else a
// proven draw would eat what could be spent on looking for a win. PUCT bounds how many there are
// between two others; this bounds them all.
constexpr int kMostFree = 8;

}  // namespace

Search::Search(const SearchConfig& config, std::uint64_t seed) : config_(config), rng_(seed) {}

void Search::start(const State& root, bool explore, int simulations) {
  tree_.clear(root);
  begin(explore, simulations);
}

void Search::advance(Action action, const State& root, bool explore, int simulations) {
  const auto actions = tree_.size() ? tree_.actions(kRoot) : std::span<const Action>();
  const auto found = std::ranges::find(actions, action);
  const NodeId child = found == actions.end()
                           ? kNone
                           : tree_.edges(kRoot)[std::size_t(found - actions.begin())].child;
  if (child == kNone || config_.method == Method::gumbel || tree_.node(child).visits == 0)
    return start(root, explore, simulations);
  assert(tree_.state(child) == root);
  tree_.keep(child);
  begin(explore, simulations);
}

void Search::begin(bool explore, int simulations) {
  assert(tree_.root().turn >= 0 && open_leaves_ == 0);
  floats_.resize(std::size_t(tree_.state(kRoot).rules().max_legal()));
  budget_ = simulations > 0 ? simulations : config_.simulations;
  explore_ = explore;
  noisy_ = false;
  free_ = 0;
  if (tree_.root().width > 0) add_noise();
}

// Root noise waits until the root has priors.
void Search::add_noise() {
  if (std::exchange(noisy_, true)) return;
  if (config_.method == Method::gumbel) {
    SearchConfig planned = config_;
    planned.simulations = budget_;
    halving_.start(tree_.priors(kRoot), planned, rng_);
  } else if (explore_ && config_.noise_fraction > 0) {
    mix_dirichlet(tree_.priors(kRoot), config_.noise_alpha, config_.noise_fraction, rng_);
  }
}

int Search::used() const { return int(tree_.root().visits) - 1 - free_ + open_leaves_; }

bool Search::done() const {
  return open_leaves_ == 0 && (used() >= budget_ || tree_.root().proof != Proof::unknown);
}

int Search::gather() {
  assert(open_leaves_ == 0);
  while (open_leaves_ < config_.pending && used() < budget_ &&
         tree_.root().proof == Proof::unknown) {
    const Walk walk = descend();
    if (walk == Walk::blocked) break;
    ++descents_;
    if (tree_.root().visits == 0) break;  // the root itself: nothing else can be done before it
  }
  return open_leaves_;
}

Search::Walk Search::descend() {
  NodeId id = kRoot;
  float value = tree_.root_tally().value;
  while (true) {
    const Node& node = tree_.node(id);
    if (node.proof != Proof::unknown) {
      if (free_ < kMostFree * budget_ && config_.prove && config_.method == Method::puct) ++free_;
      tree_.backup(id, Wdl::certain(int(node.proof)));
      return Walk::resolved;
    }
    if (node.width == 0) {
      const Walk walk = open(id);
      if (walk != Walk::blocked) return walk;
      continue;  // a chance node: it has outcomes now, and one of them is next
    }
    if (node.visits == 0 && node.turn != TABULA_CHANCE) return Walk::blocked;  // awaits its answer
    const EdgeId edge = node.first + choose(id, value);
    ++steps_;
    value = tree_.edge(edge).value;
    const NodeId child = tree_.edge(edge).child;
    id = child != kNone ? child : tree_.add_child(id, edge);
  }
}

// Gives a new node what it needs: a result, outcomes, or moves and a question. `blocked` means that
// the walk goes on from here.
Search::Walk Search::open(NodeId id) {
  const int turn = tree_.node(id).turn;
  if (turn == TABULA_OVER) {
    finish(id);
    return Walk::resolved;
  }
  tree_.add_edges(id);
  if (turn == TABULA_CHANCE) {
    tree_.state(id).odds(tree_.actions(id), tree_.priors(id));
    tree_.node(id).own = id == kRoot ? 0 : tree_.node(tree_.node(id).parent).own;
    return Walk::blocked;
  }
  if (config_.pending > 1) tree_.mark_pending(id, 1);
  leaves_.push_back(id);
  ++open_leaves_;
  return Walk::leaf;
}

void Search::finish(NodeId id) {
  const int result = tree_.state(id).result();
  tree_.backup(id, Wdl::certain(result));
  if (config_.prove)
    tree_.prove(id, Proof(result), 0);
  else
    tree_.node(id).proof = Proof(result);
}

Moves Search::moves_of(NodeId id, float value) const {
  const Node& node = tree_.node(id);
  std::uint32_t pending = 0;
  if (open_leaves_ > 0)
    for (const Edge& edge : tree_.edges(id)) pending += edge.pending;
  return {.edges = tree_.edges(id),
          .priors = tree_.priors(id),
          .player = node.turn,
          .value = value,
          .explored = node.explored,
          .visits = (node.visits > 0 ? node.visits - 1 : 0) + pending};
}

std::uint32_t Search::choose(NodeId id, float value) {
  const Node& node = tree_.node(id);
  const Moves moves = moves_of(id, value);
  if (node.turn == TABULA_CHANCE)
    return choose_outcome(moves.edges, moves.priors, moves.visits + (node.visits > 0), rng_);
  if (config_.method == Method::gumbel) {
    if (id == kRoot) return halving_.choose(moves, node.own, config_, std::uint32_t(used()));
    return choose_improved(moves, node.own, config_, floats_);
  }
  const bool forced = id == kRoot && explore_ && config_.forced_playouts > 0;
  return forced ? choose_forced(moves, config_) : choose_puct(moves, config_);
}

Question Search::question(int index) {
  const NodeId leaf = leaves_[std::size_t(index)];
  return {.state = &tree_.state(leaf), .legal = tree_.actions(leaf), .policy = tree_.priors(leaf)};
}

void Search::expand(std::span<const Answer> answers) {
  assert(answers.size() == leaves_.size());
  for (std::size_t i = 0; i < answers.size(); ++i) {
    Node& leaf = tree_.node(leaves_[i]);
    const Wdl value = answers[i].value.seen_by(leaf.turn);
    if (config_.pending > 1) tree_.mark_pending(leaves_[i], -1);
    leaf.own = value.mean();
    tree_.backup(leaves_[i], value);
  }
  leaves_.clear();
  open_leaves_ = 0;
  add_noise();
}

std::size_t run_round(std::span<Search> searches, Evaluator& evaluator, Batch& batch) {
  batch.questions.clear();
  for (Search& search : searches) {
    const int count = search.gather();
    for (int i = 0; i < count; ++i) batch.questions.push_back(search.question(i));
  }
  if (batch.questions.empty()) return 0;
  batch.answers.resize(batch.questions.size());
  evaluator.evaluate(batch.questions, batch.answers);
  std::span<const Answer> answers = batch.answers;
  for (Search& search : searches) {
    const auto count = std::size_t(search.open());
    search.expand(answers.first(count));
    answers = answers.subspan(count);
  }
  return batch.questions.size();
}

void run_together(std::span<Search> searches, Evaluator& evaluator, Batch& batch) {
  while (run_round(searches, evaluator, batch) > 0) {}
}

}  // namespace tabula
