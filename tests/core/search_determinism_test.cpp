// The same seed and the same evaluator play the same game, whatever the batch and the thread.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <thread>

#include "tests/fake_evaluator.h"
#include "tests/searched.h"
#include "tests/support.h"

using namespace tabula;

namespace {

constexpr int kMoves = 4;
using Transcripts = std::map<std::uint64_t, std::uint64_t>;  // seed -> hash of all that was found
using MakeEvaluator = std::unique_ptr<Evaluator> (*)(const Rules&);

// Hands its questions on in another order.
class Shuffled : public Evaluator {
 public:
  explicit Shuffled(std::unique_ptr<Evaluator> inner) : inner_(std::move(inner)) {}
  void evaluate(std::span<const Question> questions, std::span<Answer> answers) override {
    std::vector<std::size_t> order(questions.size());
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[rng_.below(std::uint32_t(i))]);
    std::vector<Question> asked;
    for (std::size_t i : order) asked.push_back(questions[i]);
    std::vector<Answer> given(order.size());
    inner_->evaluate(asked, given);
    for (std::size_t i = 0; i < order.size(); ++i) answers[order[i]] = given[i];
  }

 private:
  std::unique_ptr<Evaluator> inner_;
  Rng rng_{1};
};

struct Player {
  std::uint64_t seed;
  State state;
  Rng rng{seed};
  Hash found = {};

  void roll(Playout& playout) {
    while (state.at_chance()) state.apply(playout.draw(state, rng));
  }
  void move(const SearchResult& result) {
    for (const MoveResult& m : result.moves)
      found.add(std::uint64_t(m.action)).add(m.visits).add(std::bit_cast<std::uint32_t>(m.value));
    state.apply(result.moves[draw_move(result, 1, rng)].action);
  }
};

// The first moves of a game for each seed, all searched together.
Transcripts play(const Rules& rules, std::span<const std::uint64_t> seeds, Evaluator& evaluator) {
  Playout playout(rules);
  std::vector<Player> players;
  std::vector<Search> searches;
  for (std::uint64_t seed : seeds) {
    players.push_back({seed, State(rules)});
    searches.emplace_back(SearchConfig{.simulations = 16, .pending = 1 + int(seed % 3)}, seed);
  }
  Batch batch;
  for (int ply = 0; ply < kMoves; ++ply) {
    for (std::size_t i = 0; i < players.size(); ++i) {
      players[i].roll(playout);
      searches[i].start(players[i].state, true);
    }
    run_together(searches, evaluator, batch);
    for (std::size_t i = 0; i < players.size(); ++i) players[i].move(result_of(searches[i]));
  }
  Transcripts all;
  for (const Player& player : players) all[player.seed] = player.found.value();
  return all;
}

std::vector<std::uint64_t> seeds_up_to(std::size_t count) {
  std::vector<std::uint64_t> seeds(count);
  std::iota(seeds.begin(), seeds.end(), 0);
  return seeds;
}

template <class F>
void for_all_evaluators(F check) {
  const MakeEvaluator makes[] = {
      [](const Rules&) -> std::unique_ptr<Evaluator> { return std::make_unique<FakeEvaluator>(); },
      [](const Rules&) { return rollout_evaluator(1, 5); },
      [](const Rules& rules) {
        return with_cache(std::make_unique<FakeEvaluator>(), rules, 1 << 16);
      },
      [](const Rules& rules) { return with_cache(rollout_evaluator(1, 5), rules, 1 << 16); }};
  for (MakeEvaluator make : makes)
    for (const char* game : {"connect4", "einstein"}) check(shipped(game), make);
}

}  // namespace

TEST_CASE("a game is the same in batches of 1 to 130, in any order of searches and rows") {
  for_all_evaluators([](const Rules& rules, MakeEvaluator make) {
    Transcripts alone;
    for (std::uint64_t seed : seeds_up_to(130)) alone.merge(play(rules, {&seed, 1}, *make(rules)));
    std::set<std::uint64_t> different;
    for (const auto& [seed, found] : alone) different.insert(found);
    CHECK(different.size() == 130);
    Rng rng(2);
    Shuffled evaluator(make(rules));
    for (std::size_t size = 1; size <= 130; ++size) {
      auto seeds = seeds_up_to(130);
      for (std::size_t i = 130; i > 1; --i)
        std::swap(seeds[i - 1], seeds[rng.below(std::uint32_t(i))]);
      seeds.resize(size);
      for (const auto& [seed, found] : play(rules, seeds, evaluator)) {
        CAPTURE(size);
        REQUIRE(found == alone.at(seed));
      }
    }
  });
}

TEST_CASE("a game is the same on one, two and three threads") {
  for_all_evaluators([](const Rules& rules, MakeEvaluator make) {
    const auto seeds = seeds_up_to(48);
    const Transcripts alone = play(rules, seeds, *make(rules));
    for (std::size_t threads : {1u, 2u, 3u}) {
      std::vector<Transcripts> found(threads);
      std::vector<std::thread> workers;
      for (std::size_t t = 0; t < threads; ++t)
        workers.emplace_back([&, t] {
          std::vector<std::uint64_t> share;
          for (std::size_t i = t; i < seeds.size(); i += threads) share.push_back(seeds[i]);
          found[t] = play(rules, share, *make(rules));
        });
      for (std::thread& worker : workers) worker.join();
      Transcripts together;
      for (Transcripts& part : found) together.merge(part);
      CHECK(together == alone);
    }
  });
}
