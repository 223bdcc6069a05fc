// Engines that need no LibTorch, against sums taken by hand and against each other.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <thread>

#include "core/base/error.h"
#include "core/nn/cpu/linear.h"
#include "core/nn/cpu/processor.h"
#include "core/nn/cpu/tile_convolution.h"
#include "core/nn/cpu/tower.h"
#include "core/nn/torch_library.h"
#include "core/search/game_group.h"
#include "tests/random_positions.h"
#include "tests/support.h"

using namespace tabula;

namespace {

std::vector<float> outputs_of(Engine& engine, const Net& net, const std::vector<float>& planes) {
  const int rows = int(planes.size()) / net.shape.plane_floats();
  std::vector<float> outputs(std::size_t(rows) * std::size_t(net.shape.outputs()));
  engine.run(rows, planes.data(), outputs.data());
  return outputs;
}

float furthest(const std::vector<float>& a, const std::vector<float>& b) {
  REQUIRE(a.size() == b.size());
  float most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

std::vector<float> random_floats(std::size_t count, std::uint64_t seed) {
  std::vector<float> values(count);
  Rng rng(seed);
  for (float& x : values) x = 2 * rng.uniform() - 1;
  return values;
}

}  // namespace

TEST_CASE("a dense layer is the sum it should be, and the same for any number of rows") {
  for (const auto& [inputs, outputs] : {std::pair{1, 1}, {7, 3}, {64, 8}, {301, 21}}) {
    const auto weights = random_floats(std::size_t(inputs * outputs), 1);
    const auto bias = random_floats(std::size_t(outputs), 2),
               in = random_floats(std::size_t(70 * inputs), 3);
    const Linear layer(inputs, outputs, weights, bias);
    std::vector<float> all(std::size_t(70 * outputs));
    layer.run(70, in.data(), inputs, all.data(), outputs, false);
    for (int row = 0; row < 70; ++row)
      for (int o = 0; o < outputs; ++o) {
        double sum = bias[std::size_t(o)];
        for (int i = 0; i < inputs; ++i)
          sum += double(in[std::size_t(row * inputs + i)]) * weights[std::size_t(o * inputs + i)];
        REQUIRE(all[std::size_t(row * outputs + o)] == doctest::Approx(sum).epsilon(1e-4));
      }
    for (int rows = 1; rows < 70; ++rows) {
      std::vector<float> some(std::size_t(rows * outputs));
      layer.run(rows, in.data(), inputs, some.data(), outputs, false);
      REQUIRE(std::equal(some.begin(), some.end(), all.begin()));
    }
    layer.run(70, in.data(), inputs, all.data(), outputs, true);
    CHECK(*std::ranges::min_element(all) >= 0);
  }
}

TEST_CASE("bf16 rounds to nearest, ties to even") {
  CHECK(from_bf16(to_bf16(1)) == 1);
  CHECK(from_bf16(to_bf16(1 + 0x1p-8f)) == 1);              // a tie, to even
  CHECK(from_bf16(to_bf16(1 + 0x1.8p-7f)) == 1 + 0x1p-6f);  // a tie, to even
  CHECK(from_bf16(to_bf16(1 + 0x1.01p-8f)) == 1 + 0x1p-7f);
  CHECK(from_bf16(to_bf16(-3.14159f)) == doctest::Approx(-3.14159).epsilon(0.004));
}

TEST_CASE("what a position gets does not depend on its batch") {
  for (const char* game : {"connect4", "go5", "pig100"})
    for (Pooling pooling : {Pooling::none, Pooling::squeeze, Pooling::global})
      for (Kernel kernel : {Kernel::fp32, Kernel::winograd, Kernel::bf16_plain}) {
        const Rules& rules = shipped(game);
        const Net net = stirred_net(rules, {1, 32, pooling}, 3);
        if (kernel == Kernel::winograd && !winograd_usable(net.shape)) continue;
        const auto engine = cpu_engine(net, kernel);
        CAPTURE(game);
        CAPTURE(engine->name());
        const int rows = kernel == Kernel::bf16_plain ? 70 : 130;
        const auto planes = planes_of(random_positions(rules, rows, 5));
        const auto all = outputs_of(*engine, net, planes);
        const auto width = std::size_t(net.shape.plane_floats());
        // Batches of 1, 2, 3, ... from the far end, so that rows change places too.
        for (int size = 1, end = rows; end > 0; end -= size, size = std::min(size + 1, end)) {
          const int begin = std::max(0, end - size);
          const std::vector<float> part(planes.begin() + std::ptrdiff_t(std::size_t(begin) * width),
                                        planes.begin() + std::ptrdiff_t(std::size_t(end) * width));
          const auto some = outputs_of(*engine, net, part);
          REQUIRE(std::equal(some.begin(), some.end(), all.begin() + begin * net.shape.outputs()));
        }
      }
}

TEST_CASE("convolutions of our own agree with oneDNN's on boards of every size") {
  if (!avx2_usable()) {
    MESSAGE("skipped: this processor has no AVX2");
    return;
  }
  Registry registry({installed_plugins()});
  for (const RulesPtr& rules : registry.list().games)
    for (Pooling pooling : {Pooling::none, Pooling::squeeze, Pooling::global}) {
      const Net net = stirred_net(*rules, {2, 64, pooling}, 4);
      if (!winograd_usable(net.shape)) continue;
      CAPTURE(rules->name());
      CAPTURE(to_text(net.config));
      const auto planes = planes_of(random_positions(*rules, 7, 5));
      const auto theirs = outputs_of(*cpu_engine(net, Kernel::fp32), net, planes);
      const auto ours = outputs_of(*cpu_engine(net, Kernel::winograd), net, planes);
      const auto [least, most] = std::ranges::minmax(theirs);
      CHECK(furthest(ours, theirs) < 1e-5f * (most - least));
    }
}

TEST_CASE("registers of both widths give the same bits") {
  if (!avx512_usable()) {
    MESSAGE("skipped: this processor has no AVX-512");
    return;
  }
  for (const char* game : {"tictactoe", "go2", "go5", "connect4", "othello8"})
    for (Pooling pooling : {Pooling::none, Pooling::squeeze, Pooling::global})
      for (int rows = 1; rows <= 5; ++rows) {
        CAPTURE(game);
        CAPTURE(rows);
        const Net net = stirred_net(shipped(game), {2, 32, pooling}, 6);
        const auto planes = planes_of(random_positions(shipped(game), rows, 7));
        std::vector<std::vector<float>> found;
        for (bool avx512 : {false, true}) {
          const std::unique_ptr<Tower> tower = winograd_tower(net, avx512);
          REQUIRE(tower->most_rows() >= rows);
          const int floats = rows * net.shape.cells() * net.config.head_channels;
          std::vector<float> features(std::size_t(2 * floats));
          tower->run(rows, planes.data(), {features.data(), features.data() + floats});
          found.push_back(std::move(features));
        }
        CHECK(found[0] == found[1]);
        CHECK(std::ranges::any_of(found[0], [](float x) { return x > 0; }));
      }
}

TEST_CASE("convolutions of our own are taken where they save multiplications") {
  for (const auto& [game, saves] : {std::pair{"tictactoe", false},
                                    {"go2", false},
                                    {"pig100", false},
                                    {"go5", true},
                                    {"connect4", true},
                                    {"gomoku15", true}}) {
    CAPTURE(game);
    const Net net = new_net(shipped(game), {1, 32}, 1);
    const bool taken = saves && avx2_usable();
    CHECK(winograd_is_faster(net.shape) == taken);
    if (!amx_usable())
      CHECK(cpu_engine(net)->name().starts_with(taken ? "fp32 Winograd" : "fp32 oneDNN"));
  }
  CHECK_THROWS_WITH(cpu_engine(new_net(shipped("pig100"), {1, 32}, 1), Kernel::winograd),
                    "the winograd kernel needs a processor with AVX2 and FMA and a game with a "
                    "board; use fp32.");
}

TEST_CASE("bf16 tiles come close to fp32 on every kind of network") {
  for (const char* game : {"connect4", "hex7", "go5", "pig100", "othello6"})
    for (Pooling pooling : {Pooling::none, Pooling::squeeze, Pooling::global}) {
      const Rules& rules = shipped(game);
      const Net net = stirred_net(rules, {2, 64, pooling}, 4);
      CAPTURE(game);
      CAPTURE(to_text(net.config));
      const auto planes = planes_of(random_positions(rules, 9, 5));
      const auto exact = outputs_of(*cpu_engine(net, Kernel::fp32), net, planes);
      const auto rough = outputs_of(*cpu_engine(net, Kernel::bf16_plain), net, planes);
      const auto [least, most] = std::ranges::minmax(exact);
      CHECK(furthest(exact, rough) < 0.03f * (most - least));
      CHECK(furthest(exact, rough) > 0);
    }
}

TEST_CASE("the evaluator's policy and result are chances, over legal moves only") {
  const Rules& rules = shipped("othello6");
  const Net net = stirred_net(rules, {1, 32}, 4);
  const auto evaluator = net_evaluator(cpu_engine(net, Kernel::fp32), net.shape);
  for (const State& state : random_positions(rules, 20, 9)) {
    const auto legal = state.legal();
    std::vector<float> policy(legal.size());
    const Question question{&state, legal, policy, 0};
    Answer answer;
    evaluator->evaluate({&question, 1}, {&answer, 1});
    float sum = 0;
    for (float p : policy) sum += p;
    CHECK(sum == doctest::Approx(1));
    CHECK(answer.value.win + answer.value.draw + answer.value.loss == doctest::Approx(1));
    CHECK(answer.moves_left >= 0);
  }
}

TEST_CASE("a position seen through a symmetry is the image's position") {
  // The evaluator at the image of a position must say what it says of the position turned.
  const Rules& rules = shipped("connect4");
  const Net net = stirred_net(rules, {1, 32}, 4);
  const auto evaluator = net_evaluator(cpu_engine(net, Kernel::fp32), net.shape);
  const State left = after(rules, "1 1 2"), right = after(rules, "7 7 6");
  const auto legal = left.legal();
  std::vector<float> turned(7), plain(7);
  const Question questions[] = {{&left, legal, turned, 1}, {&right, legal, plain, 0}};
  Answer answers[2];
  evaluator->evaluate(questions, answers);
  CHECK(answers[0].value == answers[1].value);
  for (std::size_t i = 0; i < 7; ++i) CHECK(turned[i] == doctest::Approx(plain[6 - i]));
  evaluator->evaluate({questions, 1}, {answers + 1, 1});
  CHECK(answers[0].value == answers[1].value);
}

TEST_CASE("kernels are asked for by name, and a batch has a limit") {
  CHECK(parse_kernel("fp32") == Kernel::fp32);
  CHECK(parse_kernel("winograd") == Kernel::winograd);
  CHECK(parse_kernel("auto") == Kernel::automatic);
  CHECK_THROWS_WITH(parse_kernel("fp16"),
                    "'fp16' is no kernel; say auto, fp32, winograd, bf16 or bf16-plain.");
  const Rules& rules = shipped("tictactoe");
  const Net net = new_net(rules, {1, 32}, 4);
  const auto evaluator = net_evaluator(cpu_engine(net, Kernel::fp32), net.shape);
  const std::vector<Question> questions(kMostBatch + 1);
  std::vector<Answer> answers(questions.size());
  CHECK_THROWS_AS(evaluator->evaluate(questions, answers), Error);
}

namespace {

// Games `first`, `first + step`, ... of twelve, by number.
std::map<std::uint64_t, GameRecord> games_of(const Net& net, std::uint64_t first,
                                             std::uint64_t step, int together) {
  const Rules& rules = shipped("connect4");
  GameConfig config;
  config.search.simulations = 24;
  std::map<std::uint64_t, GameRecord> games;
  std::uint64_t number = first;
  const auto next = [&]() -> std::optional<GameTicket> {
    if (number >= 12) return {};
    const GameTicket ticket{number, mix(number)};
    number += step;
    return ticket;
  };
  GameGroup group(rules, config, together, next,
                  [&](const GameRecord& game) { games[game.number] = game; });
  const auto evaluator = net_evaluator(cpu_engine(net, Kernel::fp32), net.shape);
  while (group.round(*evaluator) > 0) {}
  return games;
}

}  // namespace

TEST_CASE("games by a network do not depend on the number of threads or of games together") {
  const Net net = stirred_net(shipped("connect4"), {1, 32}, 4);
  const auto alone = games_of(net, 0, 1, 1);
  REQUIRE(alone.size() == 12);
  for (std::uint64_t threads : {1, 2, 3}) {
    std::vector<std::map<std::uint64_t, GameRecord>> parts(threads);
    std::vector<std::thread> running;
    for (std::uint64_t t = 0; t < threads; ++t)
      running.emplace_back([&, t] { parts[t] = games_of(net, t, threads, 5); });
    for (std::thread& thread : running) thread.join();
    std::map<std::uint64_t, GameRecord> all;
    for (auto& part : parts) all.merge(part);
    CHECK(all == alone);
  }
}

TEST_CASE("engines are asked for by name, and a wrong word gets a sentence") {
  const Net net = new_net(shipped("tictactoe"), {1, 32}, 4);
  CHECK(make_engine(net, {.engine = "cpu", .kernel = "fp32"})->name().starts_with("fp32 oneDNN"));
  CHECK(make_engine(net, {.kernel = "bf16-plain"})->name() == "bf16 plain");
  CHECK(make_engine(net, {.device = "cpu"})->name() == cpu_engine(net)->name());
  CHECK_THROWS_WITH(make_engine(net, {.engine = "gpu"}),
                    "'gpu' is no engine; say auto, cpu or torch.");
  CHECK_THROWS_WITH(make_engine(net, {.engine = "cpu", .device = "cuda:0"}),
                    "the engine 'cpu' does not run on 'cuda:0'; use '--engine torch'.");
  CHECK_THROWS_WITH(make_engine(net, {.engine = "cpu", .device = "tpu"}),
                    "'tpu' is no device; say auto, cpu or cuda:N.");
}
