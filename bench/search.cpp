#include "bench/search.h"

#include <time.h>

#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bench/alternation.h"
#include "core/game/playout.h"
#include "core/search/rounds.h"

namespace tabula {
namespace {

constexpr int kOpeningPlies = 4;
constexpr int kRoundsAtOnce = 20;  // between two looks at the clock

// Games side by side: every search that is done plays its move, every game that is over begins
// anew.
class Arena {
 public:
  Arena(const Rules& rules, const SearchBench& config)
      : start_(rules), playout_(rules), evaluator_(uniform_evaluator()) {
    for (int i = 0; i < config.games; ++i) {
      searches_.emplace_back(config.search, std::uint64_t(i));
      states_.push_back(start_);
      begin(std::size_t(i));
    }
  }

  void round() {
    run_round(searches_, *evaluator_, batch_);
    for (std::size_t i = 0; i < searches_.size(); ++i) {
      if (!searches_[i].done()) continue;
      searches_[i].result(result_);
      states_[i].apply(result_.moves[draw_move(result_, 1, rng_)].action);
      next(i);
    }
  }
  std::uint64_t descents() const { return sum(&Search::descents); }
  std::uint64_t steps() const { return sum(&Search::steps); }

 private:
  void begin(std::size_t i) {
    State& state = states_[i] = start_;
    for (int ply = 0; ply < kOpeningPlies && !state.over(); ++ply)
      state.apply(playout_.draw(state, rng_));
    next(i);
  }
  void next(std::size_t i) {
    State& state = states_[i];
    while (!state.over() && state.at_chance()) state.apply(playout_.draw(state, rng_));
    if (state.over()) return begin(i);
    searches_[i].start(state, true);
  }
  std::uint64_t sum(std::uint64_t (Search::*counter)() const) const {
    std::uint64_t total = 0;
    for (const Search& search : searches_) total += (search.*counter)();
    return total;
  }

  State start_;
  Playout playout_;
  std::unique_ptr<Evaluator> evaluator_;
  std::vector<Search> searches_;
  std::vector<State> states_;
  Batch batch_;
  SearchResult result_;
  Rng rng_{1};
};

struct Row {
  std::string game;
  Spread descents;  // per second
  double depth = 0;
};

Row measure(const Rules& rules, const SearchBench& config) {
  Arena arena(rules, config);
  std::vector<double> rates;
  for (int i = 0; i < config.repeats; ++i) {
    rates.push_back(rate_of(processor_seconds, config.milliseconds / 1000., [&] {
      const std::uint64_t before = arena.descents();
      for (int k = 0; k < kRoundsAtOnce; ++k) arena.round();
      return arena.descents() - before;
    }));
  }
  return {rules.name(), spread_of(rates), double(arena.steps()) / double(arena.descents())};
}

}  // namespace

void bench_search(const std::vector<RulesPtr>& games, const SearchBench& config) {
  const char* method = config.search.method == Method::puct ? "puct" : "gumbel";
  if (!config.json)
    std::cout << "The tree alone: uniform evaluator, " << config.games << " games together, "
              << config.search.simulations << " simulations a move, " << method << ".\n"
              << machine_name() << "; one thread, " << config.repeats << " repeats of "
              << config.milliseconds << " ms of processor time; median (quartiles)\n\n"
              << "game              descents/s                             mean depth\n";
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const RulesPtr& rules : games) {
    const Row row = measure(*rules, config);
    if (config.json)
      rows.push_back({{"game", row.game},
                      {"descents_per_second", row.descents.median},
                      {"quartiles", {row.descents.low, row.descents.high}},
                      {"mean_depth", row.depth}});
    else
      std::cout << std::left << std::setw(14) << row.game << std::right << std::fixed
                << std::setprecision(0) << std::setw(14) << row.descents.median << "  ("
                << std::setw(8) << row.descents.low << " to " << std::setw(8) << row.descents.high
                << ")" << std::setprecision(2) << std::setw(18) << row.depth << std::endl;
  }
  if (config.json)
    std::cout << nlohmann::ordered_json{{"bench", "search"},
                                        {"machine", machine_name()},
                                        {"method", method},
                                        {"games", config.games},
                                        {"simulations", config.search.simulations},
                                        {"rows", rows}}
                     .dump(2)
              << "\n";
}

}  // namespace tabula
