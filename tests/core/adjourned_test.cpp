// Games that one worker leaves and another plays on.
#include <doctest/doctest.h>

#include "core/data/game_check.h"
#include "core/search/game_group.h"
#include "tests/stored_games.h"
#include "tests/support.h"

using namespace tabula;

namespace {

// The records of all games after so many rounds, as a worker would leave them.
std::vector<GameRecord> left_after(const Rules& rules, const GameConfig& config, int rounds) {
  std::uint64_t number = 0;
  GameGroup group(
      rules, config, 20,
      [&] {
        return std::optional(GameTicket{++number, number});
      },
      [](const GameRecord&) {});
  FakeEvaluator evaluator;
  group.use(7);
  for (int i = 0; i < rounds; ++i) group.round(evaluator);
  std::vector<GameRecord> left;
  group.adjourn([&](const GameRecord& record) { left.push_back(record); });
  group.adjourn([](const GameRecord&) { FAIL("a game was left twice"); });
  return left;
}

GameRecord played_on(const Rules& rules, const GameConfig& config, const GameRecord& adjourned) {
  bool given = false;
  GameRecord whole;
  const auto next = [&]() -> std::optional<GameTicket> {
    if (std::exchange(given, true)) return {};
    return GameTicket{.adjourned = std::make_shared<GameRecord>(adjourned)};
  };
  GameGroup group(rules, config, 3, next, [&](const GameRecord& record) { whole = record; });
  FakeEvaluator evaluator;
  group.use(8);
  while (group.round(evaluator) > 0) {}
  return whole;
}

}  // namespace

TEST_CASE("an adjourned game is a sound record, and so is what becomes of it") {
  for (const char* name : {"connect4", "tictactoe", "pig100", "einstein"}) {
    const Rules& rules = shipped(name);
    CAPTURE(name);
    GameConfig config = varied_play();
    const std::vector<GameRecord> left = left_after(rules, config, 90);
    REQUIRE(left.size() > 3);
    for (const GameRecord& adjourned : left) {
      CHECK(adjourned.ending == Ending::none);
      StoredGame game = stored(rules, adjourned);
      for (PlyRecord& ply : game.record.plies) ply.model = 0;
      CHECK(fault_in(decode_game(encode_game(game)), rules).value_or("") == "");
      const GameRecord whole = played_on(rules, config, adjourned);
      CHECK(whole.ending != Ending::none);
      CHECK(whole.number == adjourned.number);
      CHECK(whole.seed == adjourned.seed);
      REQUIRE(whole.plies.size() >= adjourned.plies.size());
      CHECK(std::equal(adjourned.plies.begin(), adjourned.plies.end(), whole.plies.begin()));
      game.record = whole;
      for (PlyRecord& ply : game.record.plies) ply.model = 0;
      CHECK(fault_in(game, rules).value_or("") == "");
    }
  }
}

TEST_CASE("what becomes of an adjourned game follows from its record") {
  const Rules& rules = shipped("connect4");
  for (const GameRecord& adjourned : left_after(rules, varied_play(), 60))
    CHECK(played_on(rules, varied_play(), adjourned) == played_on(rules, varied_play(), adjourned));
}

TEST_CASE("moves that looked lost before the pause count towards giving up") {
  const Rules& rules = shipped("connect4");
  GameConfig config;
  config.search.simulations = 20;
  config.resign = {.loss = 1e-6f, .moves = 4, .play_on = 0};  // every move looks lost
  int resumed = 0;
  for (const GameRecord& adjourned : left_after(rules, config, 90)) {
    const GameRecord whole = played_on(rules, config, adjourned);
    if (whole.ending != Ending::resigned) continue;
    CHECK(whole.plies.size() <= 8);  // four moves of each player
    ++resumed;
  }
  CHECK(resumed > 3);
}
