// What can be told of a game without its rules.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>

#include "core/base/error.h"
#include "tests/stored_games.h"

using namespace tabula;

namespace {

std::string fault_of(const StoredGame& game) {
  try {
    check_form(game);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

std::string fault_with(const std::function<void(StoredGame&)>& change) {
  StoredGame game = small_game();
  change(game);
  return fault_of(game);
}

std::string fault_at(std::size_t ply, const std::function<void(PlyRecord&)>& change) {
  return fault_with([&](StoredGame& game) { change(game.record.plies[ply]); });
}

std::string fault_of_record(const std::function<void(GameRecord&)>& change) {
  return fault_with([&](StoredGame& game) { change(game.record); });
}

}  // namespace

TEST_CASE("games as they are played, and made-up ones, have a sound form") {
  CHECK(fault_of(small_game()) == "");
  for (const char* name : {"connect4", "pig100", "go5"})
    for (const StoredGame& game : played_games(shipped(name), 10)) CHECK(fault_of(game) == "");
  Rng rng(1);
  for (int i = 0; i < 100; ++i) CHECK(fault_of(any_game(rng)) == "");
}

TEST_CASE("names and texts are held to their limits") {
  using Game = StoredGame;
  CHECK(fault_with([](Game& g) { g.game = "Toy"; }) ==
        "the game's name is not 1 to 32 characters from a-z, 0-9, _ and -, a letter or a digit "
        "first");
  CHECK(fault_with([](Game& g) {
          for (int i = 0; i < 256; ++i) g.models.push_back(std::to_string(i));
        }) == "there are more than 256 models");
  const std::string id = "a model's id is not 1 to 64 characters from a-z, 0-9, _ and -";
  CHECK(fault_with([](Game& g) { g.models[0] = ""; }) == id);
  CHECK(fault_with([](Game& g) { g.models[0] = "../x"; }) == id);
  CHECK(fault_with([](Game& g) { g.models[0] = std::string(65, 'a'); }) == id);
  CHECK(fault_with([](Game& g) { g.models[0] = std::string(64, 'a'); }) == "");
  CHECK(fault_with([](Game& g) { g.models = {"a", "b", "a"}; }) == "a model is listed twice");
  CHECK(fault_with([](Game& g) { g.settings = std::string(4097, 'a'); }) ==
        "the text of the search settings is longer than 4096 bytes");
  CHECK(fault_with([](Game& g) { g.settings = "a\nb"; }) == "");
  CHECK(fault_with([](Game& g) { g.settings = "\x1b[2J"; }) ==
        "the text of the search settings has characters that are not printable ASCII");
  CHECK(fault_with([](Game& g) { g.worker = std::string(65, 'a'); }) ==
        "the worker's name is longer than 64 bytes");
  CHECK(fault_with([](Game& g) { g.worker = "a\nb"; }) ==
        "the worker's name has characters that are not printable ASCII");
}

TEST_CASE("only searched plies have findings, and they have them all") {
  using Ply = PlyRecord;
  CHECK(fault_at(1, [](Ply& p) { p.action = -1; }) == "ply 2 has an action beyond the limits");
  CHECK(fault_at(1, [](Ply& p) { p.action = 65536; }) == "ply 2 has an action beyond the limits");
  CHECK(fault_at(2, [](Ply& p) { p.opening = true; }) ==
        "ply 3 is an opening in the middle of the game");
  const std::string findings = " was not searched, but has findings";
  CHECK(fault_at(0, [](Ply& p) { p.value = {1, 0, 0}; }) == "ply 1" + findings);
  CHECK(fault_at(0, [](Ply& p) { p.resign = true; }) == "ply 1" + findings);
  CHECK(fault_at(2, [](Ply& p) { p.descents = 1; }) == "ply 3" + findings);
  CHECK(fault_at(2, [](Ply& p) { p.full = true; }) == "ply 3" + findings);
  CHECK(fault_at(3, [](Ply& p) { p.model = 1; }) == "ply 4 names a model that is not in the table");
  CHECK(fault_of_record([](GameRecord& r) { r.plies.resize(TABULA_MAX_PLIES + 1); }) ==
        "it has more than 1048576 plies");
}

TEST_CASE("a value is made of chances that sum to 1") {
  const std::string chances = "ply 4 has a value that is not made of chances";
  for (const float bad : {-0.1f, 1.1f, float(INFINITY), float(NAN)}) {
    CHECK(fault_at(3, [&](PlyRecord& p) { p.value.win = bad; }) == chances);
    CHECK(fault_at(3, [&](PlyRecord& p) { p.value.draw = bad; }) == chances);
    CHECK(fault_at(3, [&](PlyRecord& p) { p.value.loss = bad; }) == chances);
  }
  CHECK(fault_at(3, [](PlyRecord& p) { p.value.draw = 0.1f; }) ==
        "ply 4 has a value that does not sum to 1");
  CHECK(fault_at(3, [](PlyRecord& p) { p.value = {}; }) ==
        "ply 4 has a value that does not sum to 1");
}

TEST_CASE("policies follow each other, ascend, and sum to 1") {
  const std::string follow = " has a policy that does not follow the one before it";
  CHECK(fault_at(1, [](PlyRecord& p) { p.policy_begin = 1; }) == "ply 2" + follow);
  CHECK(fault_at(1, [](PlyRecord& p) { p.policy_end = 0; }) == "ply 2" + follow);
  CHECK(fault_at(4, [](PlyRecord& p) { p.policy_end = 4; }) == "ply 5" + follow);
  CHECK(fault_at(4, [](PlyRecord& p) { p.policy_begin = 0; }) == "ply 5" + follow);
  CHECK(fault_at(3, [](PlyRecord& p) { p.policy_end = 1; }) ==
        "ply 4 has a policy without a full search");
  CHECK(fault_of_record([](GameRecord& r) {
          r.policy.push_back({0, 1});
        }) == "it has policy entries that belong to no ply");
  const std::string ascend = "ply 2 has a policy whose moves do not ascend within the limits";
  CHECK(fault_of_record([](GameRecord& r) { r.policy[1].action = 2; }) == ascend);
  CHECK(fault_of_record([](GameRecord& r) { r.policy[0].action = -1; }) == ascend);
  CHECK(fault_of_record([](GameRecord& r) { r.policy[1].action = 65536; }) == ascend);
  for (const float bad : {0.f, -0.25f, float(NAN)})
    CHECK(fault_of_record([&](GameRecord& r) { r.policy[0].weight = bad; }) ==
          "ply 2 has a policy with a weight that is not above 0");
  for (const float bad : {0.26f, float(INFINITY)})
    CHECK(fault_of_record([&](GameRecord& r) { r.policy[0].weight = bad; }) ==
          "ply 2 has a policy that does not sum to 1");
}

TEST_CASE("who gave up agrees with how the game went on and ended") {
  using Record = GameRecord;
  const auto given_up = [](Record& r) {
    r.plies.back().resign = true;
    r.resigner = 1;
    r.ending = Ending::resigned;
    r.result = 1;
  };
  CHECK(fault_of_record(given_up) == "");
  const auto but = [&](const std::function<void(Record&)>& change) {
    return fault_of_record([&](Record& r) {
      given_up(r);
      change(r);
    });
  };
  const std::string agree = "who gave up, and at which ply, do not agree";
  CHECK(but([](Record& r) { r.resigner = -1; }) == agree);
  CHECK(but([](Record& r) { r.resigner = 2; }) == agree);
  CHECK(but([](Record& r) { r.plies.back().resign = false; }) == agree);
  CHECK(but([](Record& r) { r.plies[1].resign = true; }) == agree);
  const auto earlier = [](Record& r) { std::swap(r.plies[3].resign, r.plies[4].resign); };
  CHECK(but(earlier) == "it goes on after player 1 gave up");
  const std::string last = "it ended by resigning, but nobody gave up at the last ply";
  CHECK(fault_of_record([](Record& r) { r.ending = Ending::resigned; }) == last);
  CHECK(but([&](Record& r) { r.play_on = true; }) == "it ended by resigning where nobody may");
  CHECK(but([](Record& r) { r.result = -1; }) ==
        "it was given up by player 1, who is not the loser");
  const auto played_on = [&](Record& r) {
    earlier(r);
    r.play_on = true;
    r.ending = Ending::by_rules;
  };
  CHECK(but(played_on) == "");
}

TEST_CASE("an end is known, and has a result if the game has ended") {
  using Record = GameRecord;
  CHECK(fault_of_record([](Record& r) { r.ending = Ending(4); }) == "it ended in no known way");
  CHECK(fault_of_record([](Record& r) { r.result = 2; }) == "its result is not +1, 0 or -1");
  CHECK(fault_of_record([](Record& r) { r.ending = Ending::none; }) == "");
  CHECK(fault_of_record([](Record& r) {
          r.ending = Ending::none;
          r.result = 1;
        }) == "it has a result, but has not ended");
}
