// Proven values: what a search says for certain must be so.
#include <doctest/doctest.h>

#include <algorithm>

#include "games/connect4/solver/solver.h"
#include "tests/fake_evaluator.h"
#include "tests/searched.h"
#include "tests/support.h"

using namespace tabula;

namespace {

struct Position {
  State state;
  std::string moves;  // as the solver reads them

  Position played(Action action) const {
    Position next = *this;
    next.state.apply(action);
    next.moves += char('1' + action);
    return next;
  }
};

// Random play from the start, as often as it takes not to be over at that ply.
Position random_position(int ply, Rng& rng) {
  const Rules& rules = shipped("connect4");
  Playout playout(rules);
  while (true) {
    Position position{State(rules), ""};
    while (!position.state.over() && position.state.ply() < ply)
      position = position.played(playout.draw(position.state, rng));
    if (!position.state.over()) return position;
  }
}

// Its exact value for player 0.
int exact(const Position& position, connect4::Solver& solver) {
  if (position.state.over()) return position.state.result();
  const int score = solver.score(*connect4::Position::parse(position.moves));
  const int value = (score > 0) - (score < 0);
  return position.state.turn() == 0 ? value : -value;
}

// Random play of a game that often ends in a draw.
State tictactoe_position(int ply, Rng& rng) {
  State state(shipped("tictactoe"));
  Playout playout(state.rules());
  while (state.ply() < ply) state.apply(playout.draw(state, rng));
  return state;
}

int exact(const State& state) {
  if (state.over()) return state.result();
  int best = state.turn() == 0 ? -1 : 1;
  for (Action action : state.legal()) {
    State next = state;
    next.apply(action);
    best = state.turn() == 0 ? std::max(best, exact(next)) : std::min(best, exact(next));
  }
  return best;
}

Search proving(const Position& position, int simulations) {
  auto uniform = uniform_evaluator();
  return run_alone(position.state, {.simulations = simulations}, *uniform);
}

}  // namespace

TEST_CASE("proven values agree with the solver, and the move that is played keeps them") {
  connect4::Solver solver(1 << 22);
  Rng rng(5);
  const auto share_proven = [&](int ply, int positions, int simulations) {
    int proven = 0;
    for (int i = 0; i < positions; ++i) {
      const Position position = random_position(ply, rng);
      const Search search = proving(position, simulations);
      const SearchResult result = result_of(search);
      if (result.proven == 2) continue;
      ++proven;
      const int value = exact(position, solver);
      REQUIRE(search.tree().root().bounds == Bounds(value, value));
      REQUIRE(exact(position.played(result.moves[result.best].action), solver) == value);
      Rng any(std::uint64_t(i) + 1);
      const Action drawn = result.moves[draw_move(result, 1, any)].action;
      REQUIRE(exact(position.played(drawn), solver) == value);
      for (const MoveResult& move : result.moves)
        if (move.target > 0) REQUIRE(exact(position.played(move.action), solver) == value);
    }
    return double(proven) / positions;
  };
  CHECK(share_proven(30, 1000, 200000) == 1);
  CHECK(share_proven(24, 100, 50000) > 0.8);
}

TEST_CASE("bounds are true of every move, however short the search") {
  FakeEvaluator fake;
  Rng rng(6);
  int half_open = 0;
  for (int i = 0; i < 1000; ++i) {
    const State state = tictactoe_position(int(2 + rng.below(3)), rng);
    const Search search = run_alone(state, {.simulations = int(20 + rng.below(400))}, fake);
    const Tree& tree = search.tree();
    for (std::size_t m = 0; m < tree.edges(kRoot).size(); ++m) {
      const Bounds bounds = tree.bounds(tree.edges(kRoot)[m]);
      if (bounds == Bounds()) continue;
      State next = state;
      next.apply(tree.actions(kRoot)[m]);
      const int value = exact(next);
      REQUIRE(bounds.low() <= value);
      REQUIRE(value <= bounds.high());
      REQUIRE(bounds.clamp(tree.edges(kRoot)[m].value) == tree.edges(kRoot)[m].value);
      half_open += !bounds.settled();
    }
  }
  CHECK(half_open > 200);
}

TEST_CASE("what is settled is not searched again: every walk adds a node") {
  FakeEvaluator fake;
  Rng rng(7);
  for (int i = 0; i < 500; ++i) {
    const State state = i % 2 ? tictactoe_position(2, rng) : random_position(32, rng).state;
    const Search search = run_alone(state, {.simulations = 500}, fake);
    REQUIRE(search.tree().size() == search.descents());
  }
}

TEST_CASE("a draw that is proven at the root is not given up for moves that look worse") {
  FakeEvaluator fake;
  Rng rng(8);
  int open = 0, free = 0;
  for (int i = 0; i < 3000; ++i) {
    const State state = tictactoe_position(3, rng);
    const SearchResult result = searched(state, {.simulations = 120}, fake);
    bool drawn = false;
    float others = -1;
    for (const MoveResult& move : result.moves) {
      drawn = drawn || move.proven == 0;
      if (move.proven == 2) others = std::max(others, move.value);
    }
    if (result.proven != 2 || !drawn || others > -0.2f) continue;
    ++open;
    CHECK(result.moves[result.best].proven == 0);
    CHECK(result.value.mean() > -0.2f);
    free += total(result) > 120;  // visits of the draw are beyond the budget
  }
  CHECK(open > 20);
  CHECK(free > open / 2);
}

TEST_CASE("a proven root stops early and plays the shortest win or the longest loss") {
  auto uniform = uniform_evaluator();
  SearchConfig config{.simulations = 100000};
  const SearchResult win = searched(after(shipped("connect4"), "4 1 4 1 4 1"), config, *uniform);
  CHECK(win.proven == 1);
  CHECK(win.distance == 1);
  CHECK(win.best == 3);
  CHECK(win.moves[3].target == 1);
  CHECK(total(win) < 1000);
}

TEST_CASE("a proven loss is put off as long as is known") {
  Rng rng(3);
  int longer = 0;  // losses where some move loses sooner than the best one
  for (int i = 0; i < 500; ++i) {
    const Search search = proving(random_position(30, rng), 20000);
    const SearchResult result = result_of(search);
    if (result.proven != -1) continue;
    const Tree& tree = search.tree();
    int soonest = 1000, latest = 0;
    for (const Edge& edge : tree.edges(kRoot)) {
      REQUIRE(tree.bounds(edge).settled());
      soonest = std::min<int>(soonest, tree.node(edge.child).distance);
      latest = std::max<int>(latest, tree.node(edge.child).distance);
    }
    CHECK(tree.node(tree.edges(kRoot)[result.best].child).distance == latest);
    CHECK(result.distance == latest + 1);
    longer += latest > soonest;
  }
  CHECK(longer > 10);
}

namespace {

bool wins_at_once(const State& state) {
  return std::ranges::any_of(state.legal(), [&](Action action) {
    State next = state;
    next.apply(action);
    return next.over() && next.result() == (state.turn() == 0 ? 1 : -1);
  });
}

// Remembers whom it was asked about.
class Asked : public FakeEvaluator {
 public:
  void evaluate(std::span<const Question> questions, std::span<Answer> answers) override {
    for (const Question& question : questions) {
      ++asked;
      won += wins_at_once(*question.state);
    }
    FakeEvaluator::evaluate(questions, answers);
  }
  int asked = 0, won = 0;  // questions; those whose mover wins at once
};

}  // namespace

TEST_CASE("nobody is asked about a leaf whose mover wins at once") {
  for (const auto& [game, pending] : {std::pair{"tictactoe", 1},
                                      {"connect4", 1},
                                      {"connect4", 8},
                                      {"hex7", 8},
                                      {"breakthrough8", 1},
                                      {"go5", 1},
                                      {"pig100", 1},
                                      {"einstein", 8}}) {
    CAPTURE(game);
    CAPTURE(pending);
    const Rules& rules = shipped(game);
    Playout playout(rules);
    Rng rng(4);
    int roots = 0, without = 0;
    Asked with;
    for (int i = 0; i < 30; ++i) {
      State end(rules);
      std::vector<State> passed;
      while (!end.over()) {
        if (!end.at_chance()) passed.push_back(end);
        end.apply(playout.draw(end, rng));
      }
      const State& state = passed[passed.size() - std::min<std::size_t>(passed.size(), 4)];
      roots += wins_at_once(state);
      run_alone(state, {.simulations = 200, .pending = pending}, with);
      Asked plainly;
      run_alone(state, {.simulations = 200, .look_ahead = false, .pending = pending}, plainly);
      without += plainly.won;
    }
    CHECK(with.won == roots);  // a root is asked about: what is learnt from needs a policy
    CHECK(without > roots);
  }
}

TEST_CASE("looking ahead proves the same with fewer questions") {
  Rng rng(9);
  int asked[2] = {0, 0}, proven = 0;
  for (int i = 0; i < 300; ++i) {
    const State state = random_position(28, rng).state;
    Bounds bounds[2];
    int questions[2];
    for (bool ahead : {false, true}) {
      Asked evaluator;
      bounds[ahead] = run_alone(state, {.simulations = 20000, .look_ahead = ahead}, evaluator)
                          .tree()
                          .root()
                          .bounds;
      questions[ahead] = evaluator.asked;
    }
    if (!bounds[0].settled()) continue;
    CHECK(bounds[0] == bounds[1]);
    for (bool ahead : {false, true}) asked[ahead] += questions[ahead];
    ++proven;
  }
  CHECK(proven > 200);
  MESSAGE(asked[1] << " questions instead of " << asked[0]);
  CHECK(asked[1] < 0.8 * asked[0]);
}

TEST_CASE("a win at once is played at once") {
  FakeEvaluator fake;
  Rng rng(11);
  int won = 0;
  for (int i = 0; i < 300; ++i) {
    const State state = random_position(24, rng).state;
    if (!wins_at_once(state)) continue;
    for (Method method : {Method::puct, Method::gumbel}) {
      const SearchResult result = searched(state, {.method = method}, fake, true);
      CHECK(result.proven == 1);
      CHECK(result.distance == 1);
      CHECK(result.moves[result.best].target == 1);
      CHECK(total(result) == 1);
    }
    ++won;
  }
  CHECK(won > 100);
}

TEST_CASE("a game that goes on in a position which was only looked at wins there") {
  FakeEvaluator fake;
  Rng rng(10);
  int met = 0;
  for (int i = 0; i < 300; ++i) {
    const State state = random_position(20, rng).state;
    Search search = run_alone(state, {.simulations = 100}, fake);
    for (std::size_t m = 0; m < search.tree().edges(kRoot).size(); ++m) {
      const Edge& edge = search.tree().edges(kRoot)[m];
      if (edge.visits == 0 || !search.tree().looked_ahead(edge.child)) continue;
      const Action action = search.tree().actions(kRoot)[m];
      State next = state;
      next.apply(action);
      Search after = search;
      after.advance(action, next, true);
      Batch batch;
      run_together({&after, 1}, fake, batch);
      const SearchResult result = result_of(after);
      CHECK(result.proven == 1);
      CHECK(result.distance == 1);
      float targets = 0;
      for (const MoveResult& move : result.moves) targets += move.proven == 1 ? move.target : 0;
      CHECK(targets == doctest::Approx(1));
      ++met;
    }
  }
  CHECK(met > 50);
}
