#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <utility>
#include <vector>

#include "tests/support.h"

using namespace tabula;

namespace {

constexpr Action kHold = 0, kRoll = 1;

State moved(const State& state, Action action) {
  State next = state;
  next.apply(action);
  return next;
}

// Pig as a graph that is read off the plugin: nodes are the mover's score, the other's and the pot.
class Graph {
 public:
  struct Edge {
    int node = -1;       // -1: the game is over, and the mover has won
    bool other = false;  // the other player moves there
  };
  struct Node {
    Edge hold;
    std::array<Edge, 6> roll;
  };

  explicit Graph(const Rules& rules) : ids_(std::size_t(101 * 101 * 101), -1) {
    todo_.push_back(State(rules));
    id_of(todo_.front());
    for (; !todo_.empty(); todo_.pop_front()) {
      const State state = todo_.front();
      Node node;
      node.hold = edge(state, moved(state, kHold));
      const State rolling = moved(state, kRoll);
      for (Action face = 0; face < 6; ++face) node.roll[face] = edge(state, moved(rolling, face));
      nodes_.push_back(node);
    }
  }
  const std::vector<Node>& nodes() const { return nodes_; }

 private:
  Edge edge(const State& from, const State& to) {
    if (to.over()) return {-1, to.result() != (from.turn() == 0 ? 1 : -1)};
    const int met = met_, id = id_of(to);
    if (id == met) todo_.push_back(to);
    return {id, to.turn() != from.turn()};
  }
  // Nodes are numbered in the order in which they are met.
  int id_of(const State& state) {
    std::vector<float> planes(std::size_t(state.rules().plane_floats()));
    state.encode(planes);
    std::size_t index = 0;
    for (int plane : {0, 11, 22})
      index = index * 101 + std::size_t(std::lround(planes[std::size_t(plane)] * 100));
    if (ids_[index] < 0) ids_[index] = met_++;
    return ids_[index];
  }

  std::vector<int> ids_;
  int met_ = 0;
  std::deque<State> todo_;
  std::vector<Node> nodes_;
};

}  // namespace

TEST_CASE("the best play of pig wins 0.5305927 of the games for who begins") {
  const Graph graph(shipped("pig100"));
  std::vector<double> win(graph.nodes().size());
  const auto value = [&](Graph::Edge edge) {
    const double mover = edge.node < 0 ? 1 : win[std::size_t(edge.node)];
    return edge.other ? 1 - mover : mover;
  };
  for (double change = 1; change > 1e-10;) {
    change = 0;
    for (std::size_t i = win.size(); i-- > 0;) {
      double roll = 0;
      for (Graph::Edge edge : graph.nodes()[i].roll) roll += value(edge) / 6;
      const double best = std::max(value(graph.nodes()[i].hold), roll);
      change = std::max(change, std::abs(best - win[i]));
      win[i] = best;
    }
  }
  CHECK(win[0] == doctest::Approx(0.5305927253).epsilon(1e-8));  // Neller and Presser
}

TEST_CASE("a player holds or rolls, and each face of the die has the odds 1/6") {
  const State start(shipped("pig100"));
  CHECK(start.turn() == 0);
  CHECK(legal_text(start) == "hold roll");
  const State rolling = after(start.rules(), "roll");
  CHECK(rolling.at_chance());
  CHECK(legal_text(rolling) == "1 2 3 4 5 6");
  std::array<float, 6> odds{};
  rolling.odds(rolling.legal(), odds);
  for (float p : odds) CHECK(p == doctest::Approx(1. / 6));
}

TEST_CASE("holding banks the pot, and a 1 loses it") {
  const Rules& rules = shipped("pig100");
  CHECK(after(rules, "roll 6").board() == "X 0 + 6 in the pot, O 0\n");
  CHECK(after(rules, "roll 6 roll 3").board() == "X 0 + 9 in the pot, O 0\n");
  CHECK(after(rules, "roll 6 roll 3").turn() == 0);
  CHECK(after(rules, "roll 6 roll 3 hold").board() == "X 9, O 0 + 0 in the pot\n");
  CHECK(after(rules, "roll 6 roll 3 hold").turn() == 1);
  CHECK(after(rules, "roll 6 roll 1").board() == "X 0, O 0 + 0 in the pot\n");
  CHECK(after(rules, "roll 6 roll 1").turn() == 1);
  CHECK(after(rules, "hold").board() == "X 0, O 0 + 0 in the pot\n");
}

TEST_CASE("who holds a hundred points wins, not before") {
  const Rules& rules = shipped("pig100");
  for (int first : {0, 1}) {
    std::string moves = first ? "hold" : "";
    for (int roll = 0; roll < 16; ++roll) moves += " roll 6";
    CHECK(!after(rules, moves + " roll 3 hold").over());  // 99
    CHECK(!after(rules, moves + " roll 4").over());
    CHECK(after(rules, moves + " roll 4 hold").over());
    CHECK(after(rules, moves + " roll 6 roll 6 hold").result() == (first ? -1 : 1));
    CHECK(after(rules, moves + " roll 4 roll 1").turn() == 1 - first);  // greed
  }
}

TEST_CASE("a game that nobody ends is cut, and the leader wins it") {
  const Rules& rules = shipped("pig100");
  for (auto [moves, result] : {std::pair("", 0), {"roll 2 hold", 1}, {"hold roll 2 hold", -1}}) {
    State state = after(rules, moves);
    while (!state.over()) state.apply(kHold);
    CHECK(state.ply() == rules.table().max_plies);
    CHECK(state.result() == result);
  }
}
