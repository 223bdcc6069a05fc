#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/wdl.h"
#include "core/game/state.h"

namespace tabula {

using NodeId = std::uint32_t;  // where its block begins, in lines
inline constexpr NodeId kRoot = 0, kNone = ~NodeId{0};

// What is known for certain about a position, for player 0: it is worth at least `low` and at most
// `high`, out of -1, 0, +1. Settled when the two meet.
class Bounds {
 public:
  constexpr Bounds() : Bounds(-1, 1) {}
  constexpr Bounds(int low, int high) : bits_(std::uint8_t((low + 1) | (high + 1) << 2)) {}
  constexpr int low() const { return (bits_ & 3) - 1; }
  constexpr int high() const { return (bits_ >> 2) - 1; }
  constexpr bool settled() const { return low() == high(); }
  constexpr float clamp(float value) const {
    return value < float(low()) ? float(low()) : value > float(high()) ? float(high()) : value;
  }
  // The same as a player sees it.
  constexpr Bounds seen_by(int player) const {
    return player == 0 ? *this : Bounds(-high(), -low());
  }
  bool operator==(const Bounds&) const = default;

 private:
  std::uint8_t bits_;
};

// A move from a node, with what was learnt below it. Values are for player 0, always.
struct Edge {
  float value = 0;  // mean of win minus loss over visits
  std::uint32_t visits = 0;
  NodeId child = kNone;
  std::uint16_t pending = 0;  // descents below whose answers are still out
  std::int16_t closed = 0;  // -1: proven to be not worth a visit. Last, so that it gives the sign.
};
static_assert(sizeof(Edge) == 16);

// A node has room for a multiple of this many edges; those beyond its width are closed. So four can
// be compared at once.
inline constexpr std::uint32_t kLanes = 4;

struct Node {
  NodeId parent = kNone;
  std::uint32_t slot = 0;      // which of its parent's edges leads here
  std::uint32_t width = 0;     // how many moves, or outcomes; 0: over
  std::uint32_t visits = 0;    // descents that ended here or below
  float own = 0;               // what the evaluator said; at a chance node, of the position before
  float explored = 0;          // sum of the priors of visited moves
  std::int32_t ply = 0;        // of the position
  std::uint16_t distance = 0;  // plies to the end, if settled
  std::int8_t turn = 0;
  Bounds bounds = {};
};
static_assert(sizeof(Node) == 32);

// What only the root is asked for.
struct Tally {
  float value = 0, draw = 0,
        square = 0;  // means: win minus loss for player 0, draws, squared value
  std::uint32_t count = 0;
  void add(float sample, float sample_draw) {
    const float share = 1.f / float(++count);
    value += (sample - value) * share;
    draw += (sample_draw - draw) * share;
    square += (sample * sample - square) * share;
  }
};

// A search waits for memory more than for anything else. So all that belongs to a node stands in
// one block of cache lines: the Node, its edges, their priors (at a chance node the odds) and
// actions, and the position's bytes, from which a child's is made by a single move. Blocks follow
// each other in memory that is kept: once warm, a search allocates nothing.
class Tree {
 public:
  // Makes room for so many nodes, within reason, and more when they come.
  void clear(const State& root, int nodes);
  // `state` becomes the position of the child. Its priors are to be written by whoever judges it.
  NodeId add_child(NodeId parent, std::uint32_t slot, State& state);

  Node& node(NodeId id) { return *reinterpret_cast<Node*>(&now_[id]); }
  const Node& node(NodeId id) const { return *reinterpret_cast<const Node*>(&now_[id]); }
  const Node& root() const { return node(kRoot); }
  std::span<Edge> edges(NodeId id) { return view(node(id)).edges; }
  std::span<const Edge> edges(NodeId id) const { return view(node(id)).edges; }
  std::span<const Action> actions(NodeId id) const { return view(node(id)).actions; }
  std::span<float> priors(NodeId id) { return view(node(id)).priors; }
  std::span<const float> priors(NodeId id) const { return view(node(id)).priors; }
  bool holds(NodeId id, const State& state) const;                       // is that its position?
  std::size_t size() const { return size_; }                             // nodes
  const Tally& root_tally() const { return root_tally_; }                // of all visits
  std::span<const Tally> move_tallies() const { return move_tallies_; }  // of each root move

  void mark_pending(NodeId leaf, int delta);
  // Counts one visit of everything from the leaf to the root. `value` is for player 0.
  void backup(NodeId leaf, Wdl value);
  // What is known about the child that an edge leads to.
  Bounds bounds(const Edge& edge) const {
    return edge.child == kNone ? Bounds() : node(edge.child).bounds;
  }
  // A game that is over, or will be after so many plies: its ancestors learn what follows.
  void prove(NodeId node, int result, int distance = 0);
  // Was it settled by a look at its moves, so that nobody ever judged it?
  bool looked_ahead(NodeId id) const {
    return node(id).width > 0 && node(id).bounds.settled() &&
           std::ranges::none_of(edges(id), [](const Edge& edge) { return edge.visits > 0; });
  }

  // Makes `node` the root and drops all that is not below it.
  void keep(NodeId node);

  // Asks for memory before it is needed: of a node, of the root and the next node.
  void prefetch(NodeId id) const;
  void prefetch() const;

 private:
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  struct View {
    std::span<Edge> edges;
    std::span<float> priors;
    std::span<Action> actions;
    std::byte* position;
  };
  static View view(const Node& node);
  Edge& edge_to(const Node& node) { return edges(node.parent)[node.slot]; }

  void make_room(std::size_t lines);
  NodeId add_node(const Node& node, const State& state);
  std::size_t lines(std::uint32_t width) const;
  bool tighten(NodeId id);
  void close_moves(NodeId id);
  int plies_to_end(NodeId id) const;
  float expectation(NodeId chance_node) const;

  std::vector<Line> now_, spare_;  // keep() copies from one to the other
  std::size_t used_ = 0;           // lines of now_
  std::size_t size_ = 0;
  std::size_t state_size_ = 0;
  std::vector<Action> legal_;
  Tally root_tally_;
  std::vector<Tally> move_tallies_;
};

inline constexpr std::uint32_t padded(std::uint32_t width) {
  return (width + kLanes - 1) & ~(kLanes - 1);
}

inline Tree::View Tree::view(const Node& node) {
  auto* const edges = reinterpret_cast<Edge*>(const_cast<Node*>(&node) + 1);
  auto* const priors = reinterpret_cast<float*>(edges + padded(node.width));
  auto* const actions = reinterpret_cast<Action*>(priors + padded(node.width));
  return {.edges = {edges, node.width},
          .priors = {priors, node.width},
          .actions = {actions, node.width},
          .position = reinterpret_cast<std::byte*>(actions + padded(node.width))};
}

inline void Tree::prefetch(NodeId id) const {
  const std::byte* const block = now_[id].bytes;
  for (int line = 0; line < 3; ++line) __builtin_prefetch(block + line * 64);
}

inline void Tree::prefetch() const {
  prefetch(kRoot);
  const std::byte* const next = now_.data()[used_].bytes;  // add_node() sees to it that it is there
  for (int line = 0; line < 4; ++line) __builtin_prefetch(next + line * 64, 1);
}

}  // namespace tabula
