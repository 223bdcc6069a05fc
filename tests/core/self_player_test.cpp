// Threads of self-play and where their games go.
#include "core/loop/self_player.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <set>

#include "core/data/game_check.h"
#include "core/data/game_codec.h"
#include "tests/program.h"
#include "tests/support.h"

using namespace tabula;

namespace {

class Basket : public GameSink {
 public:
  bool accepts() override { return open; }
  void deliver(const StoredGame& game) override {
    const std::lock_guard lock(mutex_);
    if (fail) throw Error("the basket broke");
    all_.push_back(game);
  }
  std::vector<StoredGame> all() const {
    const std::lock_guard lock(mutex_);
    return all_;
  }
  std::atomic<bool> open = true, fail = false;

 private:
  mutable std::mutex mutex_;
  std::vector<StoredGame> all_;
};

SelfPlayerConfig quick(std::uint64_t games = 0) {
  SelfPlayerConfig config;
  config.play.game.search.simulations = 12;
  config.play.game.cheap_simulations = 4;
  config.play.games_per_thread = 6;
  config.threads = 2;
  config.seed = 3;
  config.instance = config.worker = "w";
  config.most_games = games;
  return config;
}

PlayModelPtr some_net(ModelBook& book, const Rules& rules, const char* id, std::uint64_t seed) {
  return book.open(id, std::make_shared<const Net>(new_net(rules, parse_net_config("1x32"), seed)));
}

void check_sound(const StoredGame& game, const Rules& rules) {
  CHECK(fault_in(decode_game(encode_game(game)), rules).value_or("none") == "none");
}

}  // namespace

TEST_CASE("a worker's games are sound, whoever plays, and say who did") {
  const Rules& rules = shipped("connect4");
  ModelBook book;
  Basket basket;
  SelfPlayer player(rules, quick(), book, basket);
  player.use(book.open("rollout", nullptr));
  player.start();
  REQUIRE(eventually([&] { return basket.all().size() >= 8; }));
  player.use(some_net(book, rules, "aa", 1));
  const auto both = [&] {
    std::set<std::string> models;
    for (const StoredGame& game : basket.all())
      models.insert(game.models.begin(), game.models.end());
    return models == std::set<std::string>{"aa", "rollout"};
  };
  CHECK(eventually(both));
  player.stop();
  std::set<std::uint64_t> numbers;
  for (const StoredGame& game : basket.all()) {
    check_sound(game, rules);
    numbers.insert(game.record.number);
  }
  CHECK(numbers.size() == basket.all().size());
}

TEST_CASE("games that a worker leaves are played on by another, under their old names") {
  const Rules& rules = shipped("connect4");
  Basket left;
  {
    ModelBook book;
    SelfPlayer player(rules, quick(), book, left);
    player.use(some_net(book, rules, "aa", 1));
    player.start();
    REQUIRE(eventually([&] { return left.all().size() >= 3; }));
    player.stop();
  }
  std::vector<StoredGame> adjourned;
  for (const StoredGame& game : left.all())
    if (game.adjourned()) adjourned.push_back(game);
  REQUIRE(!adjourned.empty());

  ModelBook book;
  Basket basket;
  SelfPlayerConfig another = quick();
  another.instance = another.worker = "another";  // or its own games would have the same ids
  SelfPlayer player(rules, another, book, basket);
  player.use(some_net(book, rules, "bb", 2));
  std::map<GameId, std::vector<std::string>> ids;  // and who has played them
  for (const StoredGame& game : adjourned) {
    player.play_on(game);
    player.play_on(game);        // lent again, as to somebody who is slow: it is here already
    ids[game.id] = game.models;  // nobody, if it was left before its first move
    ids[game.id].push_back("bb");
  }
  CHECK(player.waiting_to_go_on() == adjourned.size());
  player.start();
  CHECK(eventually([&] {
    const auto all = basket.all();
    return std::size_t(std::ranges::count_if(
               all, [&](const StoredGame& game) { return ids.contains(game.id); })) == ids.size();
  }));
  player.stop();
  std::size_t found = 0;
  for (const StoredGame& game : basket.all()) {
    if (!ids.contains(game.id) || game.adjourned()) continue;
    ++found;
    check_sound(game, rules);
    CHECK(game.models == ids.at(game.id));
  }
  CHECK(found == adjourned.size());
}

TEST_CASE("a worker that holds, or whose games nobody takes, begins none") {
  const Rules& rules = shipped("tictactoe");
  ModelBook book;
  Basket basket;
  basket.open = false;
  SelfPlayer player(rules, quick(20), book, basket);
  player.use(book.open("uniform", nullptr));
  player.start();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK(basket.all().empty());
  player.hold(true);
  basket.open = true;
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK(basket.all().empty());
  player.hold(false);
  CHECK(eventually([&] { return player.done(); }));
}

TEST_CASE("what goes wrong in a thread ends the others and is told") {
  const Rules& rules = shipped("tictactoe");
  ModelBook book;
  Basket basket;
  basket.fail = true;
  SelfPlayer player(rules, quick(), book, basket);
  player.use(book.open("uniform", nullptr));
  player.start();
  CHECK(eventually([&] { return player.done(); }));
  CHECK_THROWS_WITH_AS(player.stop(), "the basket broke", Error);
}
