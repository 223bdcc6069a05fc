#include "core/data/foreign_game.h"

#include <doctest/doctest.h>

#include "core/data/examples.h"
#include "core/data/game_check.h"
#include "core/data/game_json.h"
#include "tests/stored_games.h"
#include "tests/support.h"

using namespace tabula;

namespace {

std::vector<ForeignMove> numbers_of(const GameRecord& record) {
  std::vector<ForeignMove> moves;
  for (const PlyRecord& ply : record.plies) moves.emplace_back(ply.action);
  return moves;
}

void check_refused(std::vector<ForeignMove> moves, int result, const std::string& why) {
  CHECK_THROWS_WITH_AS(foreign_game(shipped("connect4"), moves, result, "x"), why.c_str(), Error);
}

}  // namespace

TEST_CASE("games of others pass the checks, survive their bytes, and teach only who wins") {
  for (const char* name : {"connect4", "othello6", "einstein", "go5"}) {
    const Rules& rules = shipped(name);
    CAPTURE(name);
    for (const StoredGame& ours : played_games(rules, 10)) {
      const StoredGame game =
          foreign_game(rules, numbers_of(ours.record), ours.record.result, "club");
      CHECK(fault_in(game, rules).value_or("") == "");
      CHECK(decode_game(encode_game(game)) == game);
      CHECK(game.record.result == ours.record.result);
      CHECK(game.record.plies.size() <= ours.record.plies.size());
      ExampleWriter writer(rules, {.search_share = 0.5f});
      TrainingBatch batch;
      State state(rules);
      for (std::size_t ply = 0; ply < game.record.plies.size(); ++ply) {
        if (is_example(game.record.plies[ply])) {
          batch.clear();
          writer.add(game.record, ply, 0, batch);
          const Wdl came = Wdl::certain(ours.record.result).seen_by(state.turn());
          CHECK(batch.wdl == std::vector<float>{came.win, came.draw, came.loss});
          CHECK(batch.policy_share == std::vector<float>{0});
        }
        state.apply(game.record.plies[ply].action);
      }
    }
  }
}

TEST_CASE("equal games of others have equal ids, and others have other ones") {
  const Rules& rules = shipped("connect4");
  const std::vector<ForeignMove> won = {"1", "2", "1", "2", "1", "2", "1"};
  const std::vector<ForeignMove> same = {0, 1, 0, 1, 0, 1, 0};
  CHECK(foreign_game(rules, won, 1, "x").id == foreign_game(rules, same, 1, "y").id);
  CHECK(foreign_game(rules, std::vector<ForeignMove>{"4", "4"}, -1, "x").id !=
        foreign_game(rules, std::vector<ForeignMove>{"4", "4"}, 1, "x").id);
}

TEST_CASE("a game that was given up ends with the loser's last move") {
  const Rules& rules = shipped("connect4");
  const std::vector<ForeignMove> moves = {"4", "3", "4"};
  const StoredGame lost = foreign_game(rules, moves, -1, "x"),
                   won = foreign_game(rules, moves, 1, "x");
  CHECK(lost.record.plies.size() == 3);
  CHECK(lost.record.resigner == 0);
  CHECK(won.record.plies.size() == 2);
  CHECK(won.record.resigner == 1);
  CHECK_FALSE(fault_in(lost, rules));
  CHECK_FALSE(fault_in(won, rules));
}

TEST_CASE("what is no game is refused with a clause") {
  check_refused({"1", "2", "1", "2", "1", "2", "1"}, -1, "its result is -1, but should be 1");
  check_refused({"1", "2", "1", "2", "1", "2", "1", "3"}, 1, "ply 8 comes after the end");
  check_refused({"8"}, 1, "ply 1 plays '8', which is not legal there");
  check_refused({"\x1b[2J"}, 1, "ply 1 plays '?[2J', which is not legal there");
  check_refused({7}, 1, "ply 1 plays the action 7, which is not legal there");
  check_refused({-1}, 1, "ply 1 plays the action -1, which is not legal there");
  check_refused({"4"}, 2, "its result is not +1, 0 or -1");
  check_refused({"4"}, 0, "it goes on after its last move, and nobody lost");
  check_refused({"4"}, 1, "it goes on after its last move, and the loser never moved");
  check_refused({}, 1, "it goes on after its last move, and the loser never moved");
}

TEST_CASE("nobody passes off a search as somebody else's move, or a wish as a result") {
  const Rules& rules = shipped("connect4");
  const std::vector<ForeignMove> moves = {"1", "2", "1", "2", "1", "2", "1"};
  const StoredGame sound = foreign_game(rules, moves, 1, "x");
  const auto fault = [&](auto change) {
    StoredGame game = sound;
    change(game.record.plies[2]);
    return fault_in(game, rules).value_or("");
  };
  CHECK(fault([](PlyRecord&) {}).empty());
  CHECK(fault([](PlyRecord& ply) { ply.descents = 1; }) ==
        "ply 3 was played by somebody else, but has findings.");
  CHECK(fault([](PlyRecord& ply) {
          ply.value = {0.5f, 0, 0.5f};
        }) == "ply 3 was played by somebody else, but has findings.");
  CHECK(fault([](PlyRecord& ply) {
          ply.value = {0, 0, 1};
        }) == "ply 3 was played by somebody else, but its value is not the result.");
}

TEST_CASE("lines of JSON give the moves by name, and numbers where the rules are not there") {
  const Rules& rules = shipped("connect4");
  const std::vector<ForeignMove> moves = {"1", "2", "1", "2", "1", "2", "1"};
  const StoredGame game = foreign_game(rules, moves, 1, "club");
  const ForeignLine named = read_game_json(game_json(game, &rules, true));
  CHECK(named.moves == moves);
  CHECK(named.result == 1);
  CHECK(read_game_json(game_json(game, nullptr, true)).moves == numbers_of(game.record));
  for (const char* line : {"", "[]", "{", "{\"moves\":[]}", "{\"moves\":[1.5],\"result\":0}",
                           "{\"moves\":[-1],\"result\":0}", "{\"moves\":3,\"result\":0}",
                           "{\"moves\":[],\"result\":\"1\"}", "{\"moves\":[[]],\"result\":1}"})
    CHECK_THROWS_AS(read_game_json(line), Error);
  for (const char* number : {"18446744073709551615", "9223372036854775808", "2", "-2"})
    CHECK(read_game_json("{\"moves\":[],\"result\":" + std::string(number) + "}").result == 2);
}
