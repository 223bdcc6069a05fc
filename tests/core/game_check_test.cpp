// Games that are played again to see whether they are what they say.
#include <doctest/doctest.h>

#include <functional>

#include "core/data/examples.h"
#include "core/data/game_check.h"
#include "tests/stored_games.h"
#include "tests/wrong_games/honest.h"

using namespace tabula;

namespace {

// Stopped by the engine, two plies before its end.
struct Short : Honest<Short> {
  static constexpr auto name = "short";
  static constexpr int max_plies = 4;
};

// Fails when it is told to, at the third ply.
struct Moody : Honest<Moody> {
  static constexpr auto name = "moody";
  inline static bool fails = false;
  void apply(Action cell) {
    Honest::apply(cell);
    if (fails && plies() == 3) throw std::runtime_error("not today");
  }
};

template <class G>
const Rules& rules_of() {
  static const tabula_game table = make_table<G>();
  static const Rules rules(&table, "test");
  return rules;
}

std::string fault(const StoredGame& game, const Rules& rules) {
  return fault_in(game, rules).value_or("none");
}

using Change = std::function<void(GameRecord&)>;

// A game of Connect Four that ended in some way, on a board with room left.
StoredGame connect4_game(Ending ending) {
  GameConfig config = varied_play();
  if (ending == Ending::by_rules) config.resign = {};
  for (const StoredGame& game : played_games(shipped("connect4"), 60, config))
    if (game.record.ending == ending && game.record.plies.size() < 42) return game;
  FAIL("no such game");
  return {};
}

std::string fault_after(Ending ending, const Change& change) {
  StoredGame game = connect4_game(ending);
  change(game.record);
  return fault(game, shipped("connect4"));
}

std::string ply_text(std::size_t index) { return "ply " + std::to_string(index + 1); }

std::size_t first_of(const GameRecord& record, bool PlyRecord::*flag) {
  return std::size_t(std::ranges::find_if(record.plies, flag) - record.plies.begin());
}

const PlyRecord kCheap{.action = 0, .value = {0.5f, 0, 0.5f}};

// Without its last plies, and not over.
void adjourn(GameRecord& record, std::size_t plies) {
  record.plies.resize(plies);
  std::uint32_t policy = 0;
  for (const PlyRecord& ply : record.plies) policy = std::max(policy, ply.policy_end);
  record.policy.resize(policy);
  record.ending = Ending::none;
  record.result = 0;
}

}  // namespace

TEST_CASE("games of self-play have no fault, finished or adjourned") {
  Registry registry({installed_plugins()});
  int resigned = 0, played_on = 0;
  for (const RulesPtr& rules : registry.list().games) {
    CAPTURE(rules->name());
    for (StoredGame game : played_games(*rules, rules->cells() > 100 ? 1 : 6)) {
      CHECK(fault(game, *rules) == "none");
      CHECK(fault(decode_game(encode_game(game)), *rules) == "none");
      resigned += game.record.ending == Ending::resigned;
      played_on += game.record.play_on && game.record.resigner >= 0;
      if (game.record.resigner >= 0) continue;
      adjourn(game.record, game.record.plies.size() / 2);
      CHECK(fault(game, *rules) == "none");
    }
  }
  CHECK(resigned > 5);
  CHECK(played_on > 5);
}

TEST_CASE("a game of other rules is refused") {
  StoredGame game = connect4_game(Ending::by_rules);
  CHECK(fault(game, shipped("hex7")) == "it is a game of connect4, not of hex7.");
  ++game.rules;
  CHECK(fault(game, shipped("connect4")) == "it was played by other rules of connect4.");
}

TEST_CASE("a fault of form is a fault") {
  CHECK(fault_after(Ending::by_rules, [](GameRecord& r) { r.result = 2; }) ==
        "its result is not +1, 0 or -1.");
}

TEST_CASE("moves are legal where they are played, and end with the game") {
  CHECK(fault_after(Ending::by_rules, [](GameRecord& r) { r.plies.resize(43, kCheap); }) ==
        "it has 43 plies, and connect4 ends after 42.");
  std::size_t plies = 0;
  const std::string after = fault_after(Ending::by_rules, [&](GameRecord& r) {
    plies = r.plies.size();
    r.plies.push_back(kCheap);
  });
  CHECK(after == ply_text(plies) + " comes after the end.");
  CHECK(fault_after(Ending::by_rules, [](GameRecord& r) { r.plies[0].action = 7; }) ==
        "ply 1 plays the action 7, which is not legal there.");
  // Seven stones on a column of six.
  CHECK(fault_after(Ending::by_rules, [](GameRecord& r) {
          r.policy.clear();
          r.plies.assign(7, kCheap);
        }) == "ply 7 plays the action 0, which is not legal there.");
}

TEST_CASE("a policy is on legal moves") {
  std::size_t ply = 0;
  const std::string why = fault_after(Ending::by_rules, [&](GameRecord& r) {
    ply = first_of(r, &PlyRecord::full);
    r.policy[r.plies[ply].policy_end - 1].action = 7;
  });
  CHECK(why == ply_text(ply) + " has a policy on a move that is not legal there.");
}

TEST_CASE("dice are where dice fall") {
  const Rules& rules = shipped("einstein");
  GameConfig no_opening;
  no_opening.search.simulations = 5;
  const StoredGame good = played_games(rules, 1, no_opening).front();
  const std::size_t die = first_of(good.record, &PlyRecord::chance);
  StoredGame game = good;
  game.record.plies[die].chance = false;
  game.record.plies[die].value = {1, 0, 0};
  CHECK(fault(game, rules) == ply_text(die) + " is said to be a move where dice fall.");

  const auto is_move = [](const PlyRecord& ply) { return is_example(ply); };
  game = good;
  adjourn(game.record, std::size_t(std::ranges::find_if(good.record.plies, is_move) -
                                   good.record.plies.begin()));
  game.record.plies.push_back({.action = 0, .chance = true});
  CHECK(fault(game, rules) ==
        ply_text(game.record.plies.size() - 1) + " is said to be dice where a player moves.");
}

TEST_CASE("who gives up is on the move") {
  std::size_t last = 0;
  int other = 0;
  const std::string why = fault_after(Ending::resigned, [&](GameRecord& r) {
    last = r.plies.size() - 1;
    other = r.resigner = 1 - r.resigner;
    r.result = -r.result;
  });
  CHECK(why == ply_text(last) + " is where player " + std::to_string(other) +
                   " gave up, but the other one moves there.");
}

TEST_CASE("a game ended as it says") {
  using Record = GameRecord;
  const auto ended = [](const Change& change) { return fault_after(Ending::by_rules, change); };
  CHECK(ended([](Record& r) { adjourn(r, r.plies.size()); }) == "it is adjourned, but over.");
  CHECK(ended([](Record& r) { r.ending = Ending::adjudicated; }) ==
        "it is said to be adjudicated, but ended by the rules.");
  int result = 0;
  const std::string wrong = ended([&](Record& r) { result = r.result = -r.result; });
  CHECK(wrong == "its result is " + std::to_string(result) + ", but should be " +
                     std::to_string(-result) + ".");
  CHECK(ended([](Record& r) {
          const int was = r.result;
          adjourn(r, r.plies.size() - 1);
          r.ending = Ending::by_rules;
          r.result = was;
        }) == "it is said to have ended, but goes on.");
  CHECK(ended([](Record& r) {  // with the last move
          r.resigner = int(r.plies.size() - 1) & 1;
          r.plies.back().resign = true;
          r.ending = Ending::resigned;
          r.result = r.resigner == 0 ? -1 : 1;
        }) == "it was given up after its end.");
  CHECK(fault_after(Ending::resigned, [](Record& r) { adjourn(r, r.plies.size()); }) ==
        "it is adjourned, but was given up.");
}

TEST_CASE("a game stopped by the engine is adjudicated, and nothing else") {
  const Rules& rules = rules_of<Short>();
  GameConfig config;
  config.search.simulations = 3;
  StoredGame game = played_games(rules, 1, config).front();
  REQUIRE(game.record.ending == Ending::adjudicated);
  CHECK(fault(game, rules) == "none");
  game.record.ending = Ending::by_rules;
  CHECK(fault(game, rules) == "it is said to have ended by the rules, but was adjudicated.");
}

TEST_CASE("rules that fail are reported with the moves that led there") {
  const Rules& rules = rules_of<Moody>();
  GameConfig config;
  config.search.simulations = 3;
  StoredGame game = played_games(rules, 1, config).front();
  CHECK(fault(game, rules) == "none");
  Moody::fails = true;
  const std::string why = fault(game, rules);
  Moody::fails = false;
  CAPTURE(why);
  CHECK(why.starts_with("its rules could not be asked: moody: apply() failed: not today, after "));
  CHECK(why.ends_with('.'));
}
