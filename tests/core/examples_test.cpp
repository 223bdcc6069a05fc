// Examples are made by playing a game's moves again.
#include <doctest/doctest.h>

#include <algorithm>

#include "core/data/examples.h"
#include "core/search/game_group.h"
#include "tests/fake_evaluator.h"
#include "tests/support.h"

using namespace tabula;

namespace {

std::vector<GameRecord> some_games(const Rules& rules, int count, const GameConfig& config) {
  std::vector<GameRecord> games;
  std::uint64_t number = 0;
  const auto next = [&]() -> std::optional<GameTicket> {
    if (number == std::uint64_t(count)) return {};
    ++number;
    return GameTicket{number, number};
  };
  GameGroup group(rules, config, 4, next, [&](const GameRecord& game) { games.push_back(game); });
  FakeEvaluator evaluator;
  while (group.round(evaluator) > 0) {}
  return games;
}

GameConfig varied() {
  GameConfig config;
  config.search.simulations = 20;
  config.full_share = 0.5f;
  config.cheap_simulations = 5;
  config.opening.plies = 4;
  return config;
}

float sum(std::span<const float> values) {
  float total = 0;
  for (float x : values) total += x;
  return total;
}

}  // namespace

TEST_CASE("an example is the position before its ply, as its mover sees it") {
  for (const char* name : {"connect4", "hex7", "einstein", "pig100", "go5"}) {
    CAPTURE(std::string(name));
    const Rules& rules = shipped(name);
    const auto actions = std::size_t(rules.actions());
    ExampleWriter writer(rules, {});
    int examples = 0, policies = 0, replies = 0;
    for (const GameRecord& game : some_games(rules, 6, varied())) {
      State state(rules);
      for (std::size_t ply = 0; ply < game.plies.size(); ++ply) {
        const PlyRecord& here = game.plies[ply];
        if (is_example(here)) {
          TrainingBatch row;
          writer.add(game, ply, 0, row);
          ++examples;
          std::vector<float> planes(std::size_t(rules.plane_floats()));
          state.encode(planes);
          REQUIRE(row.planes == planes);
          REQUIRE(row.wdl[state.turn() == 0 ? 0 : 2] == float(game.result > 0));
          REQUIRE(sum(row.wdl) == 1);
          REQUIRE(row.moves_left[0] == float(game.plies.size() - ply));
          REQUIRE(sum(row.legal) == float(state.legal().size()));
          REQUIRE(row.policy_share[0] == float(here.full));
          policies += here.full;
          replies += row.reply_share[0] > 0;
          REQUIRE(sum(row.policy) == doctest::Approx(float(here.full)));
          REQUIRE(sum(row.reply) == doctest::Approx(row.reply_share[0]));
          for (std::size_t a = 0; a < actions; ++a) REQUIRE(row.policy[a] <= row.legal[a]);
        }
        state.apply(here.action);
      }
    }
    CHECK(policies > 0);
    CHECK(policies < examples);
    CHECK(replies > 0);
    CHECK(replies < examples);
  }
}

TEST_CASE("an example seen through a symmetry is the example of the game's image") {
  const Rules& rules = shipped("hex7");
  ExampleWriter writer(rules, {});
  for (const GameRecord& game : some_games(rules, 3, varied())) {
    GameRecord image = game;
    for (PlyRecord& ply : image.plies) ply.action = rules.map_action(1, ply.action);
    for (PolicyEntry& entry : image.policy) entry.action = rules.map_action(1, entry.action);
    TrainingBatch turned, plain;
    for (std::size_t ply = 0; ply < game.plies.size(); ++ply)
      if (is_example(game.plies[ply])) {
        writer.add(game, ply, 1, turned);
        writer.add(image, ply, 0, plain);
      }
    CHECK(turned.rows > 5);
    CHECK(turned.planes == plain.planes);
    CHECK(turned.legal == plain.legal);
    CHECK(turned.policy == plain.policy);
    CHECK(turned.reply == plain.reply);
  }
}

TEST_CASE("the value's target can lean on the search, and a game given up says no length") {
  const Rules& rules = shipped("connect4");
  GameRecord game = some_games(rules, 1, varied()).front();
  const auto found = std::ranges::find_if(game.plies, is_example);
  const auto ply = std::size_t(found - game.plies.begin());
  TrainingBatch result, search, half;
  ExampleWriter(rules, {0}).add(game, ply, 0, result);
  ExampleWriter(rules, {1}).add(game, ply, 0, search);
  ExampleWriter(rules, {0.5f}).add(game, ply, 0, half);
  CHECK(search.wdl == std::vector{found->value.win, found->value.draw, found->value.loss});
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(half.wdl[i] == doctest::Approx((result.wdl[i] + search.wdl[i]) / 2));
  CHECK(result.moves_left_share[0] == 1);
  game.ending = Ending::resigned;
  result.clear();
  CHECK(result.planes.empty());
  ExampleWriter(rules, {0}).add(game, ply, 0, result);
  CHECK(result.rows == 1);
  CHECK(result.moves_left_share[0] == 0);
}
