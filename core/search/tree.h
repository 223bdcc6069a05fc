#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/wdl.h"
#include "core/game/state.h"

namespace tabula {

using NodeId = std::uint32_t;
using EdgeId = std::uint32_t;
inline constexpr NodeId kRoot = 0, kNone = ~NodeId{0};

// What is known for certain about a position, for player 0.
enum class Proof : std::int8_t { loss = -1, draw = 0, win = 1, unknown = 2 };

// A move from a node, with what was learnt below it. Values are for player 0, always. Small: a
// search waits for memory more than for anything else.
struct Edge {
  float value = 0;  // mean of win minus loss over visits
  std::uint32_t visits = 0;
  NodeId child = kNone;
  std::uint16_t pending = 0;  // descents below whose answers are still out
  Proof proof = Proof::unknown;
  std::int8_t closed = 0;  // -1: not worth another visit. The last byte, so that it gives the sign.
};
static_assert(sizeof(Edge) == 16);

// A node's edges take up a multiple of this; those beyond its width are closed. So four of them can
// be compared at once.
inline constexpr std::uint32_t kLanes = 4;

struct Node {
  NodeId parent = kNone;
  EdgeId parent_edge = 0;
  EdgeId first = 0;            // its edges are first .. first + width - 1
  std::uint32_t width = 0;     // 0: not expanded, or over
  std::uint32_t visits = 0;    // descents that ended here or below
  float own = 0;               // what the evaluator said; at a chance node, of the position before
  float explored = 0;          // sum of the priors of visited moves
  std::uint16_t distance = 0;  // plies to the end, if proven
  std::int8_t turn = 0;
  Proof proof = Proof::unknown;
};
static_assert(sizeof(Node) == 32);

// What only the root is asked for.
struct Tally {
  float value = 0, draw = 0,
        square = 0;  // means: win minus loss for player 0, draws, squared value
  std::uint32_t count = 0;
  void add(float sample, float sample_draw);
};

// Nodes, their positions and edges in arrays that keep their memory: once warm, a search allocates
// nothing. Positions are kept because copying one and making one move costs less than making all
// the moves from the root; they are no larger than a node's edges, more or less.
class Tree {
 public:
  void clear(const State& root);
  NodeId add_child(NodeId parent, EdgeId edge);
  // Gives a node its legal moves or outcomes; the priors are to be written by whoever judges it.
  // requires: not over
  void add_edges(NodeId node);

  Node& node(NodeId id) { return now_.nodes[id]; }
  const Node& node(NodeId id) const { return now_.nodes[id]; }
  const Node& root() const { return now_.nodes[kRoot]; }
  const State& state(NodeId id) const { return now_.states[id]; }
  Edge& edge(EdgeId id) { return now_.edges[id]; }
  std::span<const Edge> edges(NodeId id) const {
    return {now_.edges.data() + node(id).first, node(id).width};
  }
  std::span<const Action> actions(NodeId id) const {
    return {now_.actions.data() + node(id).first, node(id).width};
  }
  std::span<float> priors(NodeId id) {
    return {now_.priors.data() + node(id).first, node(id).width};
  }
  std::span<const float> priors(NodeId id) const {
    return {now_.priors.data() + node(id).first, node(id).width};
  }
  std::size_t size() const { return now_.nodes.size(); }
  const Tally& root_tally() const { return root_tally_; }                // of all visits
  std::span<const Tally> move_tallies() const { return move_tallies_; }  // of each root move

  void mark_pending(NodeId leaf, int delta);
  // Counts one visit of everything from the leaf to the root. `value` is for player 0.
  void backup(NodeId leaf, Wdl value);
  // A node has become proven: tells its ancestors what follows.
  void prove(NodeId node, Proof proof, int distance);

  // Makes `node` the root and drops all that is not below it.
  void keep(NodeId node);

 private:
  struct Arrays {
    std::vector<Node> nodes;
    std::vector<State> states;  // of the nodes; those beyond are spare
    EdgeId used = 0;            // of the following, which are as long as they ever were
    std::vector<Edge> edges;
    std::vector<Action> actions;
    std::vector<float> priors;  // at a chance node, the odds
    void clear();
    void make_room(std::size_t edges);
  };
  State& new_state(const State& like);
  bool prove_parent(NodeId parent);
  float expectation(NodeId chance_node) const;

  Arrays now_, spare_;  // keep() copies from one to the other
  Tally root_tally_;
  std::vector<Tally> move_tallies_;
};

}  // namespace tabula
