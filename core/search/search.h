#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/rng.h"
#include "core/eval/evaluator.h"
#include "core/search/config.h"
#include "core/search/gumbel.h"
#include "core/search/result.h"
#include "core/search/tree.h"

namespace tabula {

// Monte-Carlo tree search over one position. It has no threads, no clock and no network: the caller
// carries questions to an Evaluator and answers back, for one game or for a thousand.
class Search {
 public:
  Search(const SearchConfig& config, std::uint64_t seed);

  void reseed(std::uint64_t seed) { rng_ = Rng(seed); }  // as if made with it

  // Begins at a position where a player moves, and forgets the old tree. An exploring search has
  // root noise, Gumbel's too, and forced playouts, if the configuration has them.
  void start(const State& root, bool explore, int simulations = 0);  // 0: as configured
  // The same, but keeps what is known below a move that was played (or rolled) at the root. Visits
  // it has there count. Gumbel's halving wants a fresh root, so with it this is start(); likewise
  // where the position is not the one that the move led to, because dice have rolled since, and
  // where the position was settled before anybody was asked about it.
  void advance(Action action, const State& root, bool explore, int simulations = 0);

  bool done() const;  // the budget is spent, or the root is proven; nothing is pending

  // Walks down to new leaves, at most as many as the configuration lets await answers, and resolves
  // finished games and proven moves on the way. Returns how many questions there are now.
  int gather();
  // The same, a node at a time, so that others can walk while the next node's memory comes. Returns
  // whether there is more to do.
  bool step();
  // requires: index < what gather() returned. Valid until the next gather(), start() or advance().
  Question question(int index);
  int open() const { return open_leaves_; }      // questions that await answers
  void expand(std::span<const Answer> answers);  // one for each question, in order

  void result(SearchResult& out) const;
  void prefetch() const { tree_.prefetch(); }  // a hint that gather() is near
  const Tree& tree() const { return tree_; }
  const SearchConfig& config() const { return config_; }
  std::uint64_t descents() const { return descents_; }  // walks from the root since construction
  std::uint64_t steps() const { return steps_; }        // and the moves they took

 private:
  enum class Walk { leaf, resolved, answered, blocked, under_way };
  struct Leaf {
    NodeId node;
    State state;
  };

  void begin(const State& root, bool explore, int simulations);
  Walk descend();
  bool goes_on(Walk walk);
  Walk open(NodeId node, const State& state);
  Walk ask(NodeId node);
  std::uint32_t win_from(std::uint32_t slot, NodeId node, const State& state);
  bool settle_leaf(NodeId node, const State& state);
  void settle_root(const State& state);
  std::uint32_t choose(NodeId node, float value);
  Moves moves_of(NodeId node, float value) const;
  void add_noise();
  int used() const;

  SearchConfig config_;
  Rng rng_;
  Tree tree_;
  std::vector<Leaf> leaves_;  // and one more, as scratch space
  NodeId at_ = kNone;         // where a walk is under way, and what its move there is worth
  float value_ = 0;
  int open_leaves_ = 0;
  int budget_ = 0, free_ = 0;  // visits: to be spent, and spent on what was proven
  bool explore_ = false, noisy_ = false;
  mutable std::vector<float> floats_;  // scratch space
  mutable SequentialHalving halving_;
  std::uint64_t descents_ = 0, steps_ = 0;
};

inline Question Search::question(int index) {
  const Leaf& leaf = leaves_[std::size_t(index)];
  return {
      .state = &leaf.state, .legal = tree_.actions(leaf.node), .policy = tree_.priors(leaf.node)};
}

inline Moves Search::moves_of(NodeId id, float value) const {
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

}  // namespace tabula
