#include "core/search/tree.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tabula {
namespace {

// What a player makes of a proof: its sign from the player's side.
int sign_for(Proof proof, int player) { return player == 0 ? int(proof) : -int(proof); }

constexpr std::size_t kReserved = 1 << 14;  // lines: 1 MiB

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
    Node& parent = this->node(node.parent);
    const View moves = view(parent);
    Edge& edge = moves.edges[node.slot];
    ++node.visits;
    if (edge.visits++ == 0) parent.explored += moves.priors[node.slot];
    if (edge.proof == Proof::unknown) {  // else its value is exact
      if (node.turn == TABULA_CHANCE)
        edge.value = mean = expectation(n);
      else
        edge.value += (mean - edge.value) / float(edge.visits);
    }
    if (node.parent == kRoot) move_tallies_[node.slot].add(mean, wdl.draw);
    n = node.parent;
  }
  ++node(kRoot).visits;
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

void Tree::prove(NodeId id, Proof proof, int distance) {
  node(id).proof = proof;
  node(id).distance = std::uint16_t(std::min(distance, 0xffff));
  while (id != kRoot) {
    Edge& edge = edge_to(node(id));
    edge.proof = node(id).proof;
    edge.value = float(edge.proof);
    id = node(id).parent;
    const int turn = node(id).turn;
    if (turn != TABULA_CHANCE && sign_for(edge.proof, turn) < 0) edge.closed = -1;
    if (!prove_parent(id)) return;
  }
}

// A player's node is proven by one win, or when every move is proven; a chance node when every
// outcome comes to the same. The distance is that of the shortest win, else of the longest line.
bool Tree::prove_parent(NodeId id) {
  Node& node = this->node(id);
  if (node.proof != Proof::unknown) return false;
  const bool dice = node.turn == TABULA_CHANCE;
  const int player = node.turn;
  int best = -2, shortest = 0xffff, longest = 0;
  bool all = true;
  for (const Edge& edge : edges(id)) {
    if (edge.proof == Proof::unknown) {
      all = false;
      continue;
    }
    const int sign = dice ? int(edge.proof) : sign_for(edge.proof, player);
    const int distance = this->node(edge.child).distance + 1;
    if (dice && best != -2 && sign != best) return false;
    if (sign > best) {
      best = sign;
      shortest = longest = distance;
    } else if (sign == best) {
      shortest = std::min(shortest, distance);
      longest = std::max(longest, distance);
    }
  }
  const bool won = !dice && best == 1;
  if (!won && !all) return false;
  node.proof = Proof(dice || player == 0 ? best : -best);
  node.distance = std::uint16_t(won ? shortest : longest);
  return true;
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
  // The kept visits count in full where they are counted; their spread and draws are not known.
  root_tally_ = {.value = root_value, .draw = root_tally_.draw, .count = root().visits};
  move_tallies_.assign(root().width, {});
}

}  // namespace tabula
