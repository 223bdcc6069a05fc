// LibTorch is the reference for every engine of our own.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/nn/cpu/tower.h"
#include "core/nn/torch_library.h"
#include "core/search/rounds.h"
#include "tests/random_positions.h"
#include "tests/support.h"
#include "tests/without_torch.h"

using namespace tabula;

namespace {

struct Opinions {
  std::vector<std::vector<float>> policies;
  std::vector<Answer> answers;
};

Opinions opinions(std::unique_ptr<Engine> engine, const Net& net,
                  const std::vector<State>& states) {
  Opinions out;
  std::vector<std::vector<Action>> legal;
  for (const State& state : states) {
    legal.push_back(state.legal());
    out.policies.emplace_back(legal.back().size());
  }
  std::vector<Question> questions;
  for (std::size_t i = 0; i < states.size(); ++i)
    questions.push_back({&states[i], legal[i], out.policies[i], 0});
  out.answers.resize(states.size());
  net_evaluator(std::move(engine), net.shape)->evaluate(questions, out.answers);
  return out;
}

float furthest(const Opinions& a, const Opinions& b) {
  float most = 0;
  for (std::size_t i = 0; i < a.answers.size(); ++i) {
    const Wdl &x = a.answers[i].value, &y = b.answers[i].value;
    most = std::max(
        {most, std::abs(x.win - y.win), std::abs(x.draw - y.draw), std::abs(x.loss - y.loss)});
    for (std::size_t k = 0; k < a.policies[i].size(); ++k)
      most = std::max(most, std::abs(a.policies[i][k] - b.policies[i][k]));
  }
  return most;
}

// Searches of a whole group of games, with as many batches in flight as there are groups.
std::vector<int> moves_found(Evaluator& evaluator, const std::vector<State>& states, int groups) {
  const SearchConfig config{.simulations = 30};
  std::vector<std::vector<Search>> parts{std::size_t(groups)};
  for (std::size_t i = 0; i < states.size(); ++i) {
    parts[i % parts.size()].emplace_back(config, i);
    parts[i % parts.size()].back().start(states[i], true);
  }
  std::vector<std::span<Search>> spans(parts.begin(), parts.end());
  std::vector<Batch> batches(parts.size());
  run_in_turns(spans, evaluator, batches);
  std::vector<int> moves;
  SearchResult result;
  for (std::size_t i = 0; i < states.size(); ++i) {
    parts[i % parts.size()][i / parts.size()].result(result);
    for (const auto& move : result.moves) moves.push_back(int(move.visits));
  }
  return moves;
}

}  // namespace

TEST_CASE("our fp32 engines agree with LibTorch on every game and preset") {
  if (skipped_without_torch()) return;
  Registry registry({installed_plugins()});
  for (const RulesPtr& rules : registry.list().games)
    for (const auto& [preset, config] : net_presets()) {
      const Net net = stirred_net(*rules, config, 11);
      const auto states = random_positions(*rules, preset == "large" ? 1 : 5, 3);
      const Opinions theirs =
          opinions(torch_library().engine(net, {.device = "cpu", .frozen = false}), net, states);
      for (Kernel kernel : {Kernel::fp32, Kernel::winograd}) {
        if (kernel == Kernel::winograd && !winograd_usable(net.shape)) continue;
        auto engine = cpu_engine(net, kernel);
        const std::string what = rules->name() + " " + preset + " " + engine->name();
        CAPTURE(what);
        CHECK(furthest(opinions(std::move(engine), net, states), theirs) < 1e-4f);
      }
    }
}

TEST_CASE("a frozen script says what its layers say, with every kind of pooling") {
  if (skipped_without_torch()) return;
  for (const char* game : {"connect4", "go5", "pig100"})
    for (Pooling pooling : {Pooling::none, Pooling::squeeze, Pooling::global}) {
      const Rules& rules = shipped(game);
      const Net net = stirred_net(rules, {2, 32, pooling}, 4);
      const auto states = random_positions(rules, 7, 3);
      const Opinions ours = opinions(cpu_engine(net, Kernel::fp32), net, states);
      const Opinions frozen = opinions(torch_library().engine(net, {.device = "cpu"}), net, states);
      INFO(game << " " << to_text(net.config));
      CHECK(furthest(ours, frozen) < 1e-4f);
    }
}

TEST_CASE("two batches in flight give the same games as one") {
  if (skipped_without_torch()) return;
  const Rules& rules = shipped("connect4");
  const Net net = stirred_net(rules, {1, 32}, 4);
  const auto states = random_positions(rules, 12, 3);
  for (bool decorated : {false, true}) {
    const auto evaluator = [&](int in_flight) {
      auto plain = net_evaluator(
          torch_library().engine(net, {.device = "cpu", .in_flight = in_flight}), net.shape);
      if (!decorated) return plain;
      auto drawn = with_symmetry(std::move(plain), SymmetryUse::drawn);
      return with_cache(std::move(drawn), rules, 1 << 20);
    };
    const auto one = moves_found(*evaluator(1), states, 1);
    CHECK(evaluator(2)->in_flight() == 2);
    CHECK(one == moves_found(*evaluator(2), states, 2));
    CHECK(one == moves_found(*evaluator(3), states, 3));
  }
}

TEST_CASE("a device that is not there is refused with a sentence") {
  if (skipped_without_torch()) return;
  const Net net = new_net(shipped("tictactoe"), {1, 32}, 1);
  CHECK_THROWS_WITH(torch_library().engine(net, {.device = "tpu"}),
                    "'tpu' is no device; say auto, cpu or cuda:N.");
  CHECK_THROWS_WITH_AS(torch_library().engine(net, {.device = "cuda:99"}),
                       doctest::Contains("there is no device 'cuda:99' here"), Error);
}
