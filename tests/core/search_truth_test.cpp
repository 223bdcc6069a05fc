// What search is worth without a network: it wins what is known to be won, against the best
// defence.
#include <doctest/doctest.h>

#include <map>
#include <set>

#include "core/search/rounds.h"
#include "games/connect4/solver/solver.h"
#include "tests/support.h"

using namespace tabula;

namespace {

// Searches a position afresh and says what to play, as for play: no noise, no temperature.
class Player {
 public:
  Player(const SearchConfig& config, std::unique_ptr<Evaluator> evaluator)
      : searches_(1, Search(config, 1)), evaluator_(std::move(evaluator)) {}

  Action move(const State& state) {
    searches_[0].start(state, false);
    run_together(searches_, *evaluator_, batch_);
    searches_[0].result(result_);
    return result_.moves[result_.best].action;
  }

 private:
  std::vector<Search> searches_;
  std::unique_ptr<Evaluator> evaluator_;
  Batch batch_;
  SearchResult result_;
};

SearchConfig budget(Method method, int simulations) {
  return {.method = method, .simulations = simulations, .noise_fraction = 0};
}

std::vector<Player> players(int simulations) {
  std::vector<Player> all;
  for (Method method : {Method::puct, Method::gumbel}) {
    all.emplace_back(budget(method, simulations), uniform_evaluator());
    all.emplace_back(budget(method, simulations), rollout_evaluator(4, 1));
  }
  return all;
}

// Exact play of tictactoe by looking at everything.
struct Exact {
  struct Value {
    int result;  // for player 0
    int plies;   // to the end, if the winner hurries and the loser stalls
  };
  const Value& of(const State& state) {
    const auto known = values_.find(key(state));
    if (known != values_.end()) return known->second;
    Value best{state.over() ? state.result() : 0, 0};
    if (!state.over()) best = child(state, best_move(state));
    return values_[key(state)] = best;
  }
  Action best_move(const State& state) {
    Action best = -1;
    int best_rank = -1000;
    for (Action action : state.legal()) {
      const Value value = child(state, action);
      const int result = state.turn() == 0 ? value.result : -value.result;
      const int rank = 100 * result - result * value.plies;
      if (rank > best_rank) {
        best_rank = rank;
        best = action;
      }
    }
    return best;
  }

 private:
  static std::string key(const State& state) {
    std::string text;
    for (std::byte byte : state.state_bytes()) text += char(byte);
    return text;
  }
  Value child(const State& state, Action action) {
    State next = state;
    next.apply(action);
    const Value value = of(next);
    return {value.result, value.plies + 1};
  }
  std::map<std::string, Value> values_;
};

// Positions that the mover has won, each once.
void collect_won(const State& state, Exact& exact, std::set<std::string>& seen,
                 std::vector<State>& won) {
  if (state.over() || !seen.insert(state.board()).second) return;
  if (exact.of(state).result == (state.turn() == 0 ? 1 : -1)) won.push_back(state);
  for (Action action : state.legal()) {
    State next = state;
    next.apply(action);
    collect_won(next, exact, seen, won);
  }
}

struct Won {
  std::string moves;  // columns, as the solver reads them
  State state;
};

// Positions out of random games that the mover wins in exactly `plies`, all different.
std::vector<Won> won_in(int plies, std::size_t count, connect4::Solver& solver) {
  const Rules& rules = shipped("connect4");
  Playout playout(rules);
  Rng rng{std::uint64_t(plies)};
  std::vector<Won> won;
  std::set<std::string> seen;
  while (won.size() < count) {
    State state(rules);
    std::string moves;
    const int length = 16 + int(rng.below(16));
    while (!state.over() && state.ply() < length) {
      const Action action = playout.draw(state, rng);
      moves += char('1' + action);
      state.apply(action);
    }
    if (state.over()) continue;
    const int score = solver.score(*connect4::Position::parse(moves));
    const int own_moves = 22 - score - state.ply() / 2;  // until the mover has won
    if (score > 0 && 2 * own_moves - 1 == plies && seen.insert(state.board()).second)
      won.push_back({moves, state});
  }
  return won;
}

// Plays a won position out against the defence that loses last. True if it is won in the end.
bool wins(Player& player, const Won& from, connect4::Solver& solver) {
  State state = from.state;
  std::string moves = from.moves;
  const int winner = state.turn();
  while (!state.over()) {
    Action action = 0;
    if (state.turn() == winner) {
      action = player.move(state);
    } else {
      int best = -100;
      const auto scores = solver.move_scores(*connect4::Position::parse(moves));
      for (int column = 0; column < connect4::kColumns; ++column)
        if (const auto& score = scores[std::size_t(column)]; score && *score > best) {
          best = *score;
          action = column;
        }
    }
    moves += char('1' + action);
    state.apply(action);
  }
  return state.result() == (winner == 0 ? 1 : -1);
}

}  // namespace

TEST_CASE("every won position of tictactoe is won, against the longest defence") {
  Exact exact;
  std::set<std::string> seen;
  std::vector<State> won;
  collect_won(State(shipped("tictactoe")), exact, seen, won);
  CHECK(seen.size() == 4520);  // positions that are not over
  CHECK(won.size() == 2836);
  for (Player& player : players(4000)) {
    int lost = 0;
    for (State state : won) {
      const int winner = state.turn();
      while (!state.over())
        state.apply(state.turn() == winner ? player.move(state) : exact.best_move(state));
      lost += state.result() != (winner == 0 ? 1 : -1);
    }
    CHECK(lost == 0);
  }
}

TEST_CASE("connect4 that is won within 7 plies is won, against the solver's defence") {
  connect4::Solver solver(1 << 25);
  struct Task {
    int plies, simulations;
    std::size_t positions;
  };
  // A proof ends a search early, so few spend their budget.
  for (const Task& task :
       {Task{1, 200, 60}, Task{3, 4000, 60}, Task{5, 40000, 60}, Task{7, 150000, 30}}) {
    CAPTURE(task.plies);
    const std::vector<Won> won = won_in(task.plies, task.positions, solver);
    for (Player& player : players(task.simulations)) {
      int lost = 0;
      for (const Won& position : won) lost += !wins(player, position, solver);
      CHECK(lost == 0);
    }
  }
}
