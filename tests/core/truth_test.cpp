#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "core/truth/choices.h"
#include "core/truth/exact_play.h"
#include "core/truth/judged.h"
#include "core/truth/position_key.h"
#include "core/truth/sample.h"
#include "tests/fake_evaluator.h"
#include "tests/support.h"

using namespace tabula;

namespace {

// Chooses a move by its rank among the legal ones, or the last.
Chooser always(std::size_t rank) {
  return [rank](std::span<const State> states) {
    std::vector<std::size_t> choices;
    for (const State& state : states) choices.push_back(std::min(rank, state.legal().size() - 1));
    return choices;
  };
}

// The first move that keeps the value.
Chooser perfect(ExactSolver& solver) {
  return [&solver](std::span<const State> states) {
    std::vector<std::size_t> choices;
    for (const State& state : states) {
      const std::vector<bool> keeps = judged(state, solver).keeps;
      choices.push_back(std::size_t(std::ranges::find(keeps, true) - keeps.begin()));
    }
    return choices;
  };
}

std::vector<State> sampled(const Rules& rules, std::size_t count, std::uint64_t seed) {
  std::vector<State> states;
  for (const Sample& sample : sample_positions(rules, count, seed)) states.push_back(sample.state);
  return states;
}

std::vector<std::size_t> choose_moves(std::span<const State> positions, const MakeEvaluator& make,
                                      const Choosing& choosing,
                                      const std::function<void(std::size_t)>& on_choice = {}) {
  return MoveChooser(make, choosing).choose(positions, on_choice);
}

Choosing with(int simulations, int threads, int together) {
  Choosing choosing{.seed = 3, .threads = threads, .together = together};
  choosing.search.simulations = simulations;
  return choosing;
}

}  // namespace

TEST_CASE("tictactoe is a draw, and has 5,478 positions") {
  ExactSolver solver;
  CHECK(solver.value(State(shipped("tictactoe"))) == 0);
  CHECK(solver.positions() == 5478);
  CHECK(solver.value(after(shipped("tictactoe"), "a1 b1")) == 1);  // published: only a1-b1 and kin
  CHECK(solver.positions() == 5478);
}

TEST_CASE("a stranger's game is solved") {
  // Twelve stones, take one or two (or three), the last one wins: multiples of three (four) lose.
  for (const auto& [name, most] : {std::pair("take_two", 2), std::pair("take_three", 3)}) {
    const auto games = load_plugin(std::string(TABULA_BUILD "/tests/plugins/") + name + ".so");
    State state(*games.at(0));
    ExactSolver solver;
    for (int left = 12; left > 0; --left, state.apply(0)) {
      const Judged position = judged(state, solver);
      CHECK(position.value == (left % (most + 1) ? 1 : -1));
      for (std::size_t take = 0; take < position.keeps.size(); ++take)
        CHECK(position.keeps[take] == (position.value < 0 || int(take) + 1 == left % (most + 1)));
    }
  }
}

TEST_CASE("games that are too large, or have dice, are not solved") {
  ExactSolver solver(1000);
  CHECK_THROWS_WITH_AS(solver.value(State(shipped("othello6"))),
                       doctest::Contains("'othello6' has more than 1000 positions"), Error);
  CHECK_THROWS_WITH_AS(solver.value(State(shipped("pig100"))), doctest::Contains("has dice"),
                       Error);
  ExactSolver enough(5478), one_less(5477);
  CHECK(enough.value(State(shipped("tictactoe"))) == 0);
  CHECK_THROWS_AS(one_less.value(State(shipped("tictactoe"))), Error);
}

TEST_CASE("a score counts the moves that throw the value away") {
  ExactSolver solver;
  std::vector<Judged> all;
  for (const char* moves : {"", "a1", "a1 b1", "a1 b1 a2 c1", "a1 b2 c3 b1"})
    all.push_back(judged(after(shipped("tictactoe"), moves), solver));
  CHECK(all[0].value == 0);
  CHECK(std::ranges::count(all[0].keeps, true) == 9);
  CHECK(all[1].value == 0);
  CHECK(std::ranges::count(all[1].keeps, true) == 1);  // only the centre holds against a corner
  CHECK(all[3].value == 1);
  std::vector<std::size_t> first(5, 0);
  const Score score = score_of(all, first);
  CHECK(score.positions == 5);
  std::size_t thrown = 0, not_lost = 0;
  for (const Judged& one : all) thrown += !one.keeps[0], not_lost += one.value >= 0;
  CHECK(score == Score{5, not_lost, thrown});
  CHECK(thrown_at_random(std::span(all).first(2)) == doctest::Approx(7. / 8));
}

TEST_CASE("an interval holds the share, and narrows with tries") {
  CHECK(share_interval(0, 1000).low == 0);
  CHECK(share_interval(0, 1000).high == doctest::Approx(0.00383).epsilon(0.01));
  CHECK(share_interval(37, 1000).low == doctest::Approx(0.0270).epsilon(0.01));  // published tables
  CHECK(share_interval(37, 1000).high == doctest::Approx(0.0505).epsilon(0.01));
  CHECK(share_interval(10, 10).high == 1);
  CHECK(share_interval(0, 0).high == 1);
}

TEST_CASE("exact play never loses, over every line, and careless play does") {
  ExactSolver solver;
  const Rules& rules = shipped("tictactoe");
  for (int seat : {0, 1}) {
    const ExactPlay exact = play_every_line(rules, seat, Replies::exact, solver, perfect(solver));
    CHECK(exact.lines > 1);
    CHECK(exact.lost == 0);
    CHECK(exact.won == 0);
    const ExactPlay any = play_every_line(rules, seat, Replies::any, solver, perfect(solver));
    CHECK(any.lines > 40);
    CHECK(any.lost == 0);
    CHECK(any.won > 10);
    CHECK(play_every_line(rules, seat, Replies::exact, solver, always(0)).lost > 0);
  }
  // The same lines, counted one by one.
  std::uint64_t games = 0;
  const auto count = [&](auto self, const State& state) -> void {
    if (state.over()) return void(++games);
    const std::vector<Action> legal = state.legal();
    for (Action action : state.turn() == 0 ? std::vector(1, legal[0]) : legal) {
      State next = state;
      next.apply(action);
      self(self, next);
    }
  };
  count(count, State(rules));
  CHECK(play_every_line(rules, 0, Replies::any, solver, always(0)).lines == games);
}

TEST_CASE("choices depend neither on threads nor on batches") {
  const std::vector<State> positions = sampled(shipped("connect4"), 40, 5);
  const MakeEvaluator fake = [] { return std::make_unique<FakeEvaluator>(); };
  for (int simulations : {0, 30}) {
    const auto once = choose_moves(positions, fake, with(simulations, 1, 1));
    std::size_t last = 0;
    CHECK(once == choose_moves(positions, fake, with(simulations, 1, 64)));
    CHECK(once == choose_moves(positions, fake, with(simulations, 3, 7),
                               [&](std::size_t done) { CHECK(done == ++last); }));
    CHECK(last == 40);
    MoveChooser chooser(fake, with(simulations, 2, 3));
    CHECK(chooser.choose({}).empty());
    CHECK(chooser.choose(positions) == once);
    CHECK(chooser.choose(positions) == once);
    CHECK(std::set(once.begin(), once.end()).size() > 1);
  }
}

TEST_CASE("a search finds what priors do not say") {
  ExactSolver solver;
  const Rules& rules = shipped("tictactoe");
  std::vector<Judged> all;
  std::vector<State> states = sampled(rules, 200, 2);
  for (const State& state : states) all.push_back(judged(state, solver));
  const Score alone = score_of(all, choose_moves(states, uniform_evaluator, with(0, 1, 64)));
  const Score searched = score_of(all, choose_moves(states, uniform_evaluator, with(2000, 1, 64)));
  CHECK(alone.thrown > 20);
  CHECK(searched.thrown == 0);
}

TEST_CASE("what fails in a thread fails for the caller") {
  const std::vector<State> positions = sampled(shipped("tictactoe"), 10, 5);
  const MakeEvaluator broken = []() -> std::unique_ptr<Evaluator> { throw Error("no engine."); };
  CHECK_THROWS_WITH_AS(choose_moves(positions, broken, with(0, 2, 1)), "no engine.", Error);
}

TEST_CASE("sampled positions differ, are asked for by seed, and run out with a sentence") {
  const Rules& rules = shipped("einstein");
  const auto some = sample_positions(rules, 100, 1, 4), again = sample_positions(rules, 100, 1, 4);
  std::set<std::string> seen;
  for (std::size_t i = 0; i < some.size(); ++i) {
    const State& state = some[i].state;
    CHECK(state == again[i].state);
    CHECK(state.ply() >= 4);
    CHECK(!state.at_chance());
    State replayed(rules);
    for (Action move : some[i].moves) replayed.apply(move);
    CHECK(replayed == state);
    seen.insert(position_key(state));
  }
  CHECK(seen.size() == 100);
  CHECK(!(sample_positions(rules, 1, 2, 4)[0].state == some[0].state));
  const auto all = sample_positions(shipped("tictactoe"), 5000, 1);
  CHECK(all.size() > 1000);
  CHECK(all.size() <= 4520);  // so many are not over
  CHECK_THROWS_WITH_AS(sample_positions(shipped("tictactoe"), 5, 1, 9),
                       doctest::Contains("no position after ply 9"), Error);
}
