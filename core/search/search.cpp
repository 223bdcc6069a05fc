#include "core/search/search.h"

#include <algorithm>
#include <cassert>

#include "core/search/noise.h"

namespace tabula {
namespace {

// A visit to a proven draw at the root costs no evaluation, so it does not count against the
// budget: else it would eat what could be spent on looking for a win. PUCT bounds how many there
// are between two others; this bounds them all.
constexpr int kMostFree = 8;

int win_of(int player) { return player == 0 ? 1 : -1; }

}  // namespace

Search::Search(const SearchConfig& config, std::uint64_t seed) : config_(config), rng_(seed) {}

void Search::start(const State& root, bool explore, int simulations) {
  // With dice, moves and rolls take turns.
  const int nodes = (simulations > 0 ? simulations : config_.simulations) + 2;
  tree_.clear(root, root.rules().has_chance() ? 2 * nodes : nodes);
  begin(root, explore, simulations);
}

void Search::advance(Action action, const State& root, bool explore, int simulations) {
  const auto actions = tree_.size() ? tree_.actions(kRoot) : std::span<const Action>();
  const auto found = std::ranges::find(actions, action);
  const NodeId child = found == actions.end()
                           ? kNone
                           : tree_.edges(kRoot)[std::size_t(found - actions.begin())].child;
  if (child == kNone || config_.method == Method::gumbel || tree_.node(child).visits == 0 ||
      tree_.looked_ahead(child) || !tree_.holds(child, root))
    return start(root, explore, simulations);
  tree_.keep(child);
  begin(root, explore, simulations);
}

void Search::begin(const State& root, bool explore, int simulations) {
  assert(root.turn() >= 0 && open_leaves_ == 0);
  at_ = kNone;
  floats_.resize(std::size_t(root.rules().max_legal()));
  halving_.reserve(floats_.size());
  if (leaves_.empty() || &leaves_.front().state.rules() != &root.rules())
    leaves_.assign(std::size_t(config_.pending) + 1, {kNone, root});
  leaves_.front().state = root;
  budget_ = simulations > 0 ? simulations : config_.simulations;
  explore_ = explore;
  noisy_ = false;
  free_ = 0;
  if (tree_.root().visits > 0) add_noise();
}

// Root noise waits until the root has priors.
void Search::add_noise() {
  if (std::exchange(noisy_, true)) return;
  if (config_.method == Method::gumbel) {
    SearchConfig planned = config_;
    planned.simulations = budget_;
    halving_.start(tree_.priors(kRoot), planned, explore_, rng_);
  } else if (explore_ && config_.noise_fraction > 0) {
    mix_dirichlet(tree_.priors(kRoot), config_.noise_alpha, config_.noise_fraction, rng_);
  }
}

int Search::used() const { return int(tree_.root().visits) - 1 - free_ + open_leaves_; }

bool Search::done() const {
  return open_leaves_ == 0 && (used() >= budget_ || tree_.root().bounds.settled());
}

int Search::gather() {
  assert(open_leaves_ == 0);
  while (step()) {}
  return open_leaves_;
}

bool Search::step() {
  if (at_ == kNone) {
    if (open_leaves_ == config_.pending || used() >= budget_ || tree_.root().bounds.settled())
      return false;
    at_ = kRoot;
    value_ = tree_.root_tally().value;
  }
  const Walk walk = descend();
  if (walk == Walk::under_way) return true;
  at_ = kNone;
  return goes_on(walk);
}

// After a walk: is it counted, and may another follow?
bool Search::goes_on(Walk walk) {
  if (walk == Walk::blocked) return false;
  if (walk != Walk::answered || !config_.prove)
    ++descents_;
  else if (config_.method == Method::puct && free_ < kMostFree * budget_)
    ++free_;
  return tree_.root().visits > 0;  // the root itself: nothing else can be done before it
}

// From a node to the next. `under_way` means that the walk goes on from there.
Search::Walk Search::descend() {
  const Node& node = tree_.node(at_);
  if (at_ == kRoot && node.visits == 0) return ask(kRoot);
  if (node.bounds.settled()) {
    tree_.backup(at_, Wdl::certain(node.bounds.low()));
    return Walk::answered;
  }
  if (node.visits == 0 && node.turn != TABULA_CHANCE) return Walk::blocked;  // awaits its answer
  const std::uint32_t slot = choose(at_, value_);
  const Edge& edge = tree_.edges(at_)[slot];
  ++steps_;
  if (edge.child != kNone) {
    value_ = edge.value;
    at_ = edge.child;
    tree_.prefetch(at_);
    return Walk::under_way;
  }
  State& state = leaves_[std::size_t(open_leaves_)].state;
  at_ = tree_.add_child(at_, slot, state);
  value_ = 0;
  return open(at_, state);
}

// Gives a new node what it needs: a result, odds, or a question.
Search::Walk Search::open(NodeId id, const State& state) {
  if (state.at_chance()) {
    state.odds(tree_.actions(id), tree_.priors(id));
    tree_.node(id).own = tree_.node(tree_.node(id).parent).own;
    return Walk::under_way;
  }
  if (!state.over()) return settle_leaf(id, state) ? Walk::resolved : ask(id);
  const int result = state.result();
  tree_.backup(id, Wdl::certain(result));
  if (config_.prove)
    tree_.prove(id, result);
  else
    tree_.node(id).bounds = Bounds(result, result);
  return Walk::resolved;
}

// The first of a node's moves from `slot` on that wins at once, or its width.
std::uint32_t Search::win_from(std::uint32_t slot, NodeId id, const State& state) {
  const std::uint32_t width = tree_.node(id).width;
  if (!config_.prove || !config_.look_ahead) return width;
  State& next = leaves_.back().state;
  for (; slot < width; ++slot) {
    next = state;
    next.apply(tree_.actions(id)[slot]);
    if (next.over() && next.result() == win_of(state.turn())) return slot;
  }
  return width;
}

// A leaf whose mover wins at once is settled: nobody need be asked about it.
bool Search::settle_leaf(NodeId id, const State& state) {
  if (win_from(0, id, state) == tree_.node(id).width) return false;
  const int win = win_of(state.turn());
  tree_.backup(id, Wdl::certain(win));
  tree_.prove(id, win, 1);
  return true;
}

// A root is asked about all the same, for its moves are compared and learnt from; then the win that
// its priors like best is tried first, lest a longer one be proven before it.
void Search::settle_root(const State& state) {
  const std::uint32_t width = tree_.root().width;
  std::uint32_t best = width;
  for (std::uint32_t slot = 0; (slot = win_from(slot, kRoot, state)) < width; ++slot)
    if (best == width || tree_.priors(kRoot)[slot] > tree_.priors(kRoot)[best]) best = slot;
  if (best == width) return;
  const int win = win_of(state.turn());
  const NodeId end = tree_.add_child(kRoot, best, leaves_.back().state);
  tree_.backup(end, Wdl::certain(win));
  tree_.prove(end, win);
  ++descents_, ++steps_;
}

// requires: the position is that of the next leaf
Search::Walk Search::ask(NodeId id) {
  if (config_.pending > 1) tree_.mark_pending(id, 1);
  leaves_[std::size_t(open_leaves_++)].node = id;
  return Walk::leaf;
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

void Search::expand(std::span<const Answer> answers) {
  assert(int(answers.size()) == open_leaves_);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const NodeId id = leaves_[i].node;
    Node& leaf = tree_.node(id);
    const Wdl value = answers[i].value.seen_by(leaf.turn);
    if (config_.pending > 1) tree_.mark_pending(id, -1);
    leaf.own = value.mean();
    tree_.backup(id, value);
    if (id == kRoot) settle_root(leaves_[i].state);
  }
  open_leaves_ = 0;
  add_noise();
}

}  // namespace tabula
