#include "core/search/tree.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tabula {
namespace {

constexpr std::size_t kReserved = 1 << 14;  // lines: 1 MiB

// A sample in the light of what is certain: search goes on below a proven draw, but to look for
// more than that.
float known(Bounds bounds, float mean, Wdl& sample) {
  if (bounds == Bounds()) [[likely]]
    return mean;
  if (bounds.settled()) sample = Wdl::certain(bounds.low());
  return bounds.clamp(mean);
}

}  // namespace

std::size_t Tree::lines(std::uint32_t width) const {
  const std::size_t each = sizeof(Edge) + sizeof(float) + sizeof(Action);
  const std::size_t bytes = sizeof(Node) + padded(width) * each + (width ? state_size_ : 0);
  return (bytes + sizeof(Line) - 1) / sizeof(Line);
}

// There is always a little more, so that it can be prefetched.
void Tree::make_room(std::size_t lines) {
  if (used_ + lines + 4 > now_.size()) [[unlikely]]
    now_.resize(2 * used_ + lines + 4);
}

void Tree::clear(const State& root, int nodes) {
  state_size_ = root.state_bytes().size();
  legal_.resize(padded(std::uint32_t(root.rules().max_legal())));
  move_tallies_.reserve(legal_.size());
  used_ = size_ = 0;
  root_tally_ = {};
  make_room(std::min(std::size_t(nodes) * lines(std::uint32_t(legal_.size())), kReserved));
  add_node({.ply = root.ply(), .turn = std::int8_t(root.turn())}, root);
  move_tallies_.assign(node(kRoot).width, {});
}

NodeId Tree::add_child(NodeId parent, std::uint32_t slot, State& state) {
  const Node& from = node(parent);
  const View view = Tree::view(from);
  state.restore(view.position, from.ply, from.turn);
  state.apply(view.actions[slot]);
  const NodeId id = add_node(
      {.parent = parent, .slot = slot, .ply = state.ply(), .turn = std::int8_t(state.turn())},
      state);
  return edges(parent)[slot].child = id;
}

NodeId Tree::add_node(const Node& node, const State& state) {
  const std::uint32_t width = state.over() ? 0 : std::uint32_t(state.legal(legal_).size());
  const std::size_t id = used_, count = lines(width);
  make_room(count);
  used_ += count;
  ++size_;
  Node& made = this->node(NodeId(id)) = node;
  made.width = width;
  if (width == 0) return NodeId(id);
  const View view = Tree::view(made);
  std::ranges::fill(view.edges, Edge{});
  for (std::uint32_t i = width; i < padded(width); ++i) view.edges.data()[i] = {.closed = -1};
  std::memcpy(view.actions.data(), legal_.data(), width * sizeof(Action));
  std::memcpy(view.position, state.state_bytes().data(), state_size_);
  return NodeId(id);
}

bool Tree::holds(NodeId id, const State& state) const {
  const Node& node = this->node(id);
  return node.width > 0 && node.turn == state.turn() && node.ply == state.ply() &&
         std::ranges::equal(state.state_bytes(), std::span(view(node).position, state_size_));
}

void Tree::mark_pending(NodeId leaf, int delta) {
  for (NodeId n = leaf; n != kRoot; n = node(n).parent) {
    Edge& edge = edge_to(node(n));
    edge.pending = std::uint16_t(edge.pending + delta);
  }
}

void Tree::backup(NodeId leaf, Wdl wdl) {
  float mean = wdl.mean();
  for (NodeId n = leaf; n != kRoot;) {
    Node& node = this->node(n);
    Edge& edge = edge_to(node);
    ++node.visits;
    if (edge.visits++ == 0) this->node(node.parent).explored += priors(node.parent)[node.slot];
    if (node.turn == TABULA_CHANCE)
      edge.value = mean = expectation(n);
    else
      edge.value += ((mean = known(node.bounds, mean, wdl)) - edge.value) / float(edge.visits);
    if (node.parent == kRoot) move_tallies_[node.slot].add(mean, wdl.draw);
    n = node.parent;
  }
  ++node(kRoot).visits;
  mean = known(root().bounds, mean, wdl);
  root_tally_.add(mean, wdl.draw);
}

// What a chance node is worth: its outcomes by their odds, one not seen yet counted as what was
// expected before the dice were rolled. So a single unlucky roll does not condemn a move.
float Tree::expectation(NodeId id) const {
  const Node& node = this->node(id);
  const View outcomes = view(node);
  float value = 0, seen = 0;
  for (std::uint32_t i = 0; i < node.width; ++i) {
    if (outcomes.edges[i].visits == 0) continue;
    seen += outcomes.priors[i];
    value += outcomes.priors[i] * outcomes.edges[i].value;
  }
  return value + (1 - seen) * node.own;
}

void Tree::prove(NodeId id, int result, int distance) {
  node(id).bounds = Bounds(result, result);
  node(id).distance = std::uint16_t(distance);
  while (id != kRoot) {
    Edge& edge = edge_to(node(id));
    edge.value = node(id).bounds.clamp(edge.value);
    id = node(id).parent;
    if (!tighten(id)) return;
  }
}

// A player has at least the best of what the moves are sure to bring, and at most the best of what
// they may; dice lie between the worst and the best. Returns whether that is news.
bool Tree::tighten(NodeId id) {
  Node& node = this->node(id);
  const bool dice = node.turn == TABULA_CHANCE;
  const int player = dice ? 0 : node.turn;
  int low = dice ? 1 : -1, high = -1;
  for (const Edge& edge : edges(id)) {
    const Bounds move = bounds(edge).seen_by(player);
    low = dice ? std::min(low, move.low()) : std::max(low, move.low());
    high = std::max(high, move.high());
  }
  const Bounds before = std::exchange(node.bounds, Bounds(low, high).seen_by(player));
  if (node.bounds.settled())
    node.distance = std::uint16_t(std::min(plies_to_end(id), 0xffff));
  else
    close_moves(id);
  return node.bounds != before;
}

// A move that cannot be better than what another is sure to bring needs no visits, nor does an
// outcome that is settled. At the root a proven draw stays open: its visits say how good it is
// beside the others.
void Tree::close_moves(NodeId id) {
  const Node& node = this->node(id);
  const bool dice = node.turn == TABULA_CHANCE;
  for (Edge& edge : edges(id)) {
    const Bounds move = bounds(edge).seen_by(node.turn == 1);
    const bool best_draw =
        id == kRoot && move == Bounds(0, 0) && node.bounds.seen_by(node.turn).low() == 0;
    const bool useless =
        dice ? move.settled() : move.high() <= node.bounds.seen_by(node.turn).low();
    edge.closed = useless && !best_draw ? -1 : 0;
  }
}

// Along the shortest win, else along the longest of the lines that keep the value.
int Tree::plies_to_end(NodeId id) const {
  const Node& node = this->node(id);
  const bool won = node.bounds.low() == (node.turn == 0 ? 1 : -1) && node.turn != TABULA_CHANCE;
  int shortest = 0xffff, longest = 0;
  for (const Edge& edge : edges(id)) {
    if (bounds(edge) != node.bounds) continue;
    shortest = std::min<int>(shortest, this->node(edge.child).distance);
    longest = std::max<int>(longest, this->node(edge.child).distance);
  }
  return 1 + (won ? shortest : longest);
}

// Breadth first: a block is copied when its parent's turn comes.
void Tree::keep(NodeId new_root) {
  const Node& kept = node(new_root);
  const float root_value = new_root == kRoot ? root_tally_.value : edge_to(kept).value;
  spare_.resize(now_.size());
  used_ = size_ = 0;
  const auto take = [&](NodeId from) {
    const auto id = NodeId(used_);
    const std::size_t count = lines(node(from).width);
    std::copy_n(&now_[from], count, &spare_[id]);
    used_ += count;
    ++size_;
    return id;
  };
  take(new_root);
  for (NodeId id = 0; id < used_;) {
    const Node& node = *reinterpret_cast<const Node*>(&spare_[id]);
    for (Edge& edge : view(node).edges) {
      if (edge.child == kNone) continue;
      edge.child = take(edge.child);
      Node& child = *reinterpret_cast<Node*>(&spare_[edge.child]);
      child.parent = id;
    }
    id += NodeId(lines(node.width));
  }
  std::swap(now_, spare_);
  node(kRoot).parent = kNone;
  if (std::ranges::any_of(edges(kRoot), [](const Edge& e) { return e.closed; }))
    close_moves(kRoot);  // a proven draw is open at the root
  // The kept visits count in full where they are counted; their spread and draws are not known.
  root_tally_ = {.value = root_value, .draw = root_tally_.draw, .count = root().visits};
  move_tallies_.assign(root().width, {});
}

}  // namespace tabula
