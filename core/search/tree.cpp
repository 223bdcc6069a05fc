#include "core/search/tree.h"

#include <algorithm>
#include <utility>

namespace tabula {
namespace {

// What a player makes of a proof: its sign from the player's side.
int sign_for(Proof proof, int player) { return player == 0 ? int(proof) : -int(proof); }

constexpr std::uint32_t padded(std::uint32_t width) { return (width + kLanes - 1) & ~(kLanes - 1); }

}  // namespace

void Tree::Arrays::clear() {
  nodes.clear();
  used = 0;
}

void Tree::Arrays::make_room(std::size_t more) {
  if (used + more <= edges.size()) [[likely]]
    return;
  const std::size_t size = std::max(used + more, 2 * edges.size());
  edges.resize(size);
  actions.resize(size);
  priors.resize(size);
}

State& Tree::new_state(const State& like) {
  const std::size_t id = now_.nodes.size();
  if (id < now_.states.size()) [[likely]]
    now_.states[id] = like;
  else
    now_.states.push_back(like);
  return now_.states[id];
}

void Tree::clear(const State& root) {
  now_.clear();
  root_tally_ = {};
  move_tallies_.clear();
  new_state(root);
  now_.nodes.push_back({.turn = std::int8_t(root.turn())});
}

NodeId Tree::add_child(NodeId parent, EdgeId edge) {
  const auto id = NodeId(now_.nodes.size());
  State& state = new_state(now_.states[parent]);
  state.apply(now_.actions[edge]);
  now_.nodes.push_back({.parent = parent, .parent_edge = edge, .turn = std::int8_t(state.turn())});
  return now_.edges[edge].child = id;
}

void Tree::add_edges(NodeId id) {
  const State& state = now_.states[id];
  now_.make_room(padded(std::uint32_t(state.rules().max_legal())));
  const EdgeId first = now_.used;
  const auto width = std::uint32_t(state.legal(std::span(now_.actions).subspan(first)).size());
  now_.nodes[id].first = first;
  now_.nodes[id].width = width;
  now_.used += padded(width);
  Edge* const edges = now_.edges.data();
  std::fill(edges + first, edges + first + width, Edge{});
  std::fill(edges + first + width, edges + now_.used, Edge{.closed = -1});
  if (id == kRoot) move_tallies_.assign(width, {});
}

void Tree::mark_pending(NodeId leaf, int delta) {
  for (NodeId n = leaf; n != kRoot; n = now_.nodes[n].parent) {
    Edge& edge = now_.edges[now_.nodes[n].parent_edge];
    edge.pending = std::uint16_t(edge.pending + delta);
  }
}

void Tally::add(float sample, float sample_draw) {
  const float share = 1.f / float(++count);
  value += (sample - value) * share;
  draw += (sample_draw - draw) * share;
  square += (sample * sample - square) * share;
}

void Tree::backup(NodeId leaf, Wdl wdl) {
  float mean = wdl.mean();
  for (NodeId n = leaf; n != kRoot;) {
    Node& node = now_.nodes[n];
    Edge& edge = now_.edges[node.parent_edge];
    ++node.visits;
    if (edge.visits++ == 0) now_.nodes[node.parent].explored += now_.priors[node.parent_edge];
    if (edge.proof == Proof::unknown) {  // else its value is exact
      if (node.turn == TABULA_CHANCE)
        edge.value = mean = expectation(n);
      else
        edge.value += (mean - edge.value) / float(edge.visits);
    }
    if (node.parent == kRoot)
      move_tallies_[node.parent_edge - now_.nodes[kRoot].first].add(mean, wdl.draw);
    n = node.parent;
  }
  ++now_.nodes[kRoot].visits;
  root_tally_.add(mean, wdl.draw);
}

// What a chance node is worth: its outcomes by their odds, one not seen yet counted as what was
// expected before the dice were rolled. So a single unlucky roll does not condemn a move.
float Tree::expectation(NodeId id) const {
  const Node& node = now_.nodes[id];
  float value = 0, seen = 0;
  for (std::uint32_t i = 0; i < node.width; ++i) {
    const Edge& edge = now_.edges[node.first + i];
    if (edge.visits == 0) continue;
    const float odds = now_.priors[node.first + i];
    seen += odds;
    value += odds * edge.value;
  }
  return value + (1 - seen) * node.own;
}

void Tree::prove(NodeId id, Proof proof, int distance) {
  now_.nodes[id].proof = proof;
  now_.nodes[id].distance = std::uint16_t(std::min(distance, 0xffff));
  while (id != kRoot) {
    Edge& edge = now_.edges[now_.nodes[id].parent_edge];
    edge.proof = now_.nodes[id].proof;
    edge.value = float(edge.proof);
    id = now_.nodes[id].parent;
    const int turn = now_.nodes[id].turn;
    if (turn != TABULA_CHANCE && sign_for(edge.proof, turn) < 0) edge.closed = -1;
    if (!prove_parent(id)) return;
  }
}

// A player's node is proven by one win, or when every move is proven; a chance node when every
// outcome comes to the same. The distance is that of the shortest win, else of the longest line.
bool Tree::prove_parent(NodeId id) {
  Node& node = now_.nodes[id];
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
    const int distance = now_.nodes[edge.child].distance + 1;
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

// Breadth first: a node is copied when its parent's edges are, its edges when its own turn comes.
void Tree::keep(NodeId new_root) {
  Arrays& to = spare_;
  const Node& kept = now_.nodes[new_root];
  const float root_value =
      kept.parent == kNone ? root_tally_.value : now_.edges[kept.parent_edge].value;
  const auto take_node = [&](NodeId from) {
    const std::size_t id = to.nodes.size();
    to.nodes.push_back(now_.nodes[from]);
    if (id == to.states.size()) to.states.push_back(now_.states[from]);
    std::swap(to.states[id], now_.states[from]);
  };
  to.clear();
  take_node(new_root);
  to.nodes[kRoot].parent = kNone;
  for (NodeId id = 0; id < to.nodes.size(); ++id) {
    const EdgeId from = to.nodes[id].first, first = to.used;
    const std::uint32_t width = padded(to.nodes[id].width);
    to.make_room(width);
    to.used += width;
    to.nodes[id].first = first;
    std::copy_n(now_.edges.data() + from, width, to.edges.data() + first);
    std::copy_n(now_.actions.data() + from, width, to.actions.data() + first);
    std::copy_n(now_.priors.data() + from, width, to.priors.data() + first);
    for (EdgeId e = first; e < first + width; ++e) {
      if (to.edges[e].child == kNone) continue;
      take_node(to.edges[e].child);
      to.nodes.back().parent = id;
      to.nodes.back().parent_edge = e;
      to.edges[e].child = NodeId(to.nodes.size() - 1);
    }
  }
  std::swap(now_, spare_);
  // The kept visits count in full where they are counted; their spread and draws are not known.
  root_tally_ = {.value = root_value, .draw = root_tally_.draw, .count = now_.nodes[kRoot].visits};
  move_tallies_.assign(now_.nodes[kRoot].width, {});
}

}  // namespace tabula
