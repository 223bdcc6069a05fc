// Whole searches with a hash-driven evaluator, as text: any change of behaviour shows here.
// TABULA_GOLDEN=update writes the file anew; CHANGELOG names the signature then.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "core/search/rounds.h"
#include "tests/fake_evaluator.h"
#include "tests/support.h"

using namespace tabula;

namespace {

void print_search(std::ostream& out, const State& state, const SearchConfig& config) {
  FakeEvaluator fake;
  std::vector<Search> searches(1, Search(config, 1));
  Batch batch;
  searches[0].start(state, true);
  run_together(searches, fake, batch);
  SearchResult result;
  searches[0].result(result);
  out << "  " << (config.method == Method::puct ? "puct  " : "gumbel") << " nodes "
      << searches[0].tree().size() << ", depth " << searches[0].steps() << "/"
      << searches[0].descents() << ", value " << int(std::lround(1000 * result.value.mean()))
      << ", best " << state.text(result.moves[result.best].action) << ":";
  for (const MoveResult& move : result.moves)
    if (move.visits > 0)
      out << " " << state.text(move.action) << "=" << move.visits << "/"
          << std::lround(1000 * move.target);
  out << "\n";
}

// Every game at its start, in the middle and near the end.
std::string all_searches() {
  std::ostringstream out;
  SearchConfig puct{.simulations = 100, .forced_playouts = 2};
  SearchConfig gumbel{.method = Method::gumbel, .simulations = 64};
  for (const char* game : {"tictactoe", "connect4", "othello6", "othello8", "gomoku15", "hex7",
                           "hex11", "breakthrough8", "go5", "go9", "pig100", "einstein"}) {
    const Rules& rules = shipped(game);
    Rng rng(3);
    Playout playout(rules);
    State end(rules);
    playout.finish(end, rng);
    for (int part = 0; part < 3; ++part) {
      Rng again(3);
      State state(rules);
      while (state.ply() < end.ply() * part / 3 || state.at_chance())
        state.apply(playout.draw(state, again));
      out << game << " at ply " << state.ply() << "\n";
      print_search(out, state, puct);
      print_search(out, state, gumbel);
    }
  }
  return out.str();
}

}  // namespace

TEST_CASE("searches of all games come out as they did") {
  const std::string path = TABULA_SOURCE "/tests/golden/search.txt";
  std::string text = all_searches();
  std::ostringstream signature;
  signature << "signature " << std::hex << Hash().add_text(text).value() << "\n";
  text = signature.str() + text;
  const char* update = std::getenv("TABULA_GOLDEN");
  if (update && std::string(update) == "update") std::ofstream(path) << text;
  std::ifstream file(path);
  const std::string golden{std::istreambuf_iterator<char>(file), {}};
  INFO(path << " differs; if that is meant, run with TABULA_GOLDEN=update and read the diff");
  CHECK((text == golden));
}
