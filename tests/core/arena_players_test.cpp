// Players in matches, openings, and pairs of games.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/arena/pairs.h"
#include "tests/scratch.h"
#include "tests/support.h"

using namespace tabula;

namespace {

std::vector<Player> players_of(const Rules& rules, const std::vector<std::string>& names) {
  std::vector<Player> players;
  for (const std::string& name : names) players.push_back(make_player(name, rules, {}));
  return players;
}

using Played = std::map<std::uint32_t, PairResult>;

Played played(const Rules& rules, std::span<Player> players, std::vector<PairTicket> tickets,
              int at_once, float temperature = 0) {
  Played out;
  std::ranges::reverse(tickets);
  PairGroup group(
      rules, players, at_once, temperature,
      [&]() -> std::optional<PairTicket> {
        if (tickets.empty()) return {};
        PairTicket ticket = tickets.back();
        tickets.pop_back();
        return ticket;
      },
      [&](const PairResult& result) { CHECK(out.emplace(result.number, result).second); });
  while (group.round()) {}
  CHECK(group.under_way() == 0);
  return out;
}

std::vector<PairTicket> tickets_of(const Rules& rules, std::uint64_t seed, int plies, int pairs) {
  std::vector<PairTicket> tickets;
  for (MoveList& opening : draw_openings(rules, seed, plies, std::size_t(pairs))) {
    const auto number = std::uint32_t(tickets.size());
    tickets.push_back({number, 0, 1, pair_seed(seed, number), std::move(opening)});
  }
  return tickets;
}

int half_points(const Played& pairs) {
  int sum = 0;
  for (const auto& [number, pair] : pairs) sum += pair.half_points();
  return sum;
}

bool same(const PairResult& a, const PairResult& b) {
  return a.results == b.results && a.moves == b.moves;
}

// Of the first player, out of 4 for each pair.
int score(const std::string& game, const std::string& a, const std::string& b, int pairs) {
  const Rules& rules = shipped(game);
  std::vector<Player> players = players_of(rules, {a, b});
  return half_points(played(rules, players, tickets_of(rules, 5, 2, pairs), 8));
}

Action best_of(const Rules& rules, Mover& mover, std::string_view moves, std::uint64_t seed) {
  Rng rng(seed);
  return mover.move(after(rules, moves), {}, rng);
}

}  // namespace

TEST_CASE("openings are as long as asked, go on, and come to different positions") {
  for (const std::string game : {"connect4", "tictactoe", "othello6", "go9"}) {
    CAPTURE(game);
    const Rules& rules = shipped(game);
    std::set<std::uint64_t> seen;
    for (const MoveList& opening : draw_openings(rules, 9, 3, 100)) {
      CHECK(opening.size() == 3);
      State state(rules);
      for (const Action action : opening) state.apply(action);
      CHECK_FALSE(state.over());
      CHECK(seen.insert(state.hash()).second);
    }
    CHECK(seen.size() >= 30);
  }
}

TEST_CASE(
    "openings are drawn until there are no more, and the first ones do not depend on how many") {
  const Rules& rules = shipped("tictactoe");
  const auto all = draw_openings(rules, 1, 1, 1000), few = draw_openings(rules, 1, 1, 4);
  CHECK(all.size() == 9);
  REQUIRE(few.size() == 4);
  CHECK(std::equal(few.begin(), few.end(), all.begin()));
  CHECK(draw_openings(rules, 1, 2, 1000).size() == 72);
  CHECK(draw_openings(rules, 2, 1, 1000) != all);
  CHECK(draw_openings(rules, 1, 0, 1000).size() == 1);
}

TEST_CASE("openings are as short as the number of pairs allows") {
  CHECK(plies_for_openings(shipped("go9"), 81) == 1);
  CHECK(plies_for_openings(shipped("go9"), 1000) == 2);
  CHECK(plies_for_openings(shipped("connect4"), 7) == 1);
  CHECK(plies_for_openings(shipped("connect4"), 1000) > 3);
  CHECK(plies_for_openings(shipped("tictactoe"), 1000) == 2);
  CHECK(
      draw_openings(shipped("pig100"), 1, plies_for_openings(shipped("pig100"), 500), 500).size() ==
      500);
}

TEST_CASE("a game that is far shorter than it says has openings all the same: the most there are") {
  const auto games = load_plugin(TABULA_BUILD "/tests/plugins/generous.so");
  CHECK(games[0]->table().max_plies == 64);
  const int plies = plies_for_openings(*games[0], 100);
  CHECK(plies == 2);
  CHECK(draw_openings(*games[0], 1, plies, 100).size() == 3);
}

TEST_CASE("a pair comes out the same whatever is played beside it") {
  for (const std::string game : {"connect4", "einstein"}) {
    CAPTURE(game);
    const Rules& rules = shipped(game);
    const auto tickets = tickets_of(rules, 3, 2, 12);
    std::vector<Player> players = players_of(rules, {"rollout:30", "rollout:10"});
    const Played alone = played(rules, players, tickets, 1, 0.5f);
    players = players_of(rules, {"rollout:30", "rollout:10"});
    const Played together = played(rules, players, tickets, 7, 0.5f);
    CHECK(alone.size() == 12);
    REQUIRE(together.size() == 12);
    for (const auto& [number, pair] : alone) CHECK(same(pair, together.at(number)));
    const Played other = played(rules, players, tickets_of(rules, 4, 2, 12), 7, 0.5f);
    CHECK(std::ranges::any_of(
        other, [&](const auto& each) { return !same(each.second, alone.at(each.first)); }));
  }
}

TEST_CASE("a player against itself comes to an even pair, because colours and dice are the same") {
  for (const std::string game : {"connect4", "einstein", "pig100"}) {
    CAPTURE(game);
    const Rules& rules = shipped(game);
    std::vector<Player> players = players_of(rules, {"rollout:20", "rollout:20"});
    for (const auto& [number, pair] : played(rules, players, tickets_of(rules, 6, 2, 10), 5)) {
      CHECK(pair.half_points() == 2);
      CHECK(pair.moves[0] == pair.moves[1]);
    }
  }
}

TEST_CASE("pairs that are given up make room for others") {
  const Rules& rules = shipped("connect4");
  std::vector<Player> players = players_of(rules, {"rollout:50", "rollout:50"});
  auto tickets = tickets_of(rules, 1, 2, 8);
  int given = 0, finished = 0;
  PairGroup group(
      rules, players, 4, 0,
      [&]() -> std::optional<PairTicket> {
        if (given == 8) return {};
        return tickets[std::size_t(given++)];
      },
      [&](const PairResult&) { ++finished; });
  CHECK(group.round());
  CHECK(group.under_way() == 4);
  group.abandon();
  CHECK(group.under_way() == 0);
  while (group.round()) {}
  CHECK(given == 8);
  CHECK(finished == 4);
}

TEST_CASE("stronger players are found stronger") {
  CHECK(score("connect4", "rollout:200", "random", 10) > 35);
  CHECK(score("connect4", "rollout:200", "rollout:10", 15) > 40);
  CHECK(score("tictactoe", "minimax:9", "random", 20) > 60);
  CHECK(score("connect4", "minimax:4", "random", 10) > 34);
  CHECK(score("pig100", "rollout:100", "random", 10) > 30);
  CHECK(score("einstein", "rollout:100", "random", 10) > 26);
}

TEST_CASE("minimax never loses tic-tac-toe, and every reply of perfect play is a draw") {
  const Rules& rules = shipped("tictactoe");
  std::vector<Player> players = players_of(rules, {"minimax:9", "minimax:9"});
  for (const auto& [number, pair] : played(rules, players, tickets_of(rules, 2, 1, 9), 4)) {
    CHECK(pair.results[0] == 0);
    CHECK(pair.results[1] == 0);
  }
}

TEST_CASE("minimax wins at once, stops a win, and sees no further than it may") {
  const Rules& rules = shipped("connect4");
  const auto two = minimax_mover(2), one = minimax_mover(1);
  std::set<Action> sights;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CHECK(best_of(rules, *minimax_mover(5), "1 2 1 2 1 2", seed) == 0);  // not a slower win
    CHECK(best_of(rules, *two, "1 2 1 2 1", seed) == 0);
    sights.insert(best_of(rules, *one, "1 2 1 2 1", seed));
  }
  CHECK(sights.size() > 2);
}

TEST_CASE("a player that cannot be is refused with a sentence") {
  const Rules& rules = shipped("tictactoe");
  const auto refused = [&](const std::string& name, const std::string& sentence) {
    CAPTURE(name);
    CHECK_THROWS_WITH_AS(make_player(name, rules, {}), doctest::Contains(sentence.c_str()), Error);
  };
  refused("rollout:", "simulations must be a number");
  refused("rollout:0", "simulations must be a number");
  refused("minimax:x", "depth must be a number");
  refused("solver", "no solver for tictactoe");
  refused("nowhere.safetensors", "nowhere.safetensors");
  refused("nowhere.safetensors@many", "simulations must be a number");
}

TEST_CASE("a model plays with its own number of simulations or the common one") {
  const Rules& rules = shipped("tictactoe");
  const Scratch folder;
  const std::string file = folder / "net.safetensors";
  save_net(new_net(rules, parse_net_config("1x32"), 1), file);
  CHECK(make_player(file + "@17", rules, {}).search.simulations == 17);
  CHECK(make_player(file, rules, {.simulations = 33}).search.simulations == 33);
  std::vector<Player> players;
  players.push_back(make_player(file + "@40", rules, {}));
  players.push_back(make_player("random", rules, {}));
  CHECK(played(rules, players, tickets_of(rules, 1, 1, 5), 5).size() == 5);
  CHECK_THROWS_AS(make_player(file, shipped("connect4"), {}), Error);
}
