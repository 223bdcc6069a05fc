// A store and its clients, over real sockets.
#include <doctest/doctest.h>

#include <fstream>
#include <map>

#include "core/base/digest.h"
#include "core/base/files.h"
#include "core/nn/net.h"
#include "core/store/reader.h"
#include "core/wire/follower.h"
#include "core/wire/keys.h"
#include "core/wire/left_outboxes.h"
#include "core/wire/model_transfer.h"
#include "tests/program.h"
#include "tests/run.h"
#include "tests/running_server.h"

using namespace tabula;

namespace {

// Everything that a store streams, by id.
std::map<GameId, std::string> all_games(Client& client) {
  std::map<GameId, std::string> games;
  for (std::uint64_t after = 0;;) {
    const LogPage page = client.ask<Page>(Read{.after = after, .max_bytes = 3000}).page;
    for (const LogEntry& entry : page.entries) CHECK(games.emplace(entry.id, entry.bytes).second);
    if (page.next == after) return games;
    after = page.next;
  }
}

// What a worker that ends leaves of a game: its opening.
StoredGame adjourned(const StoredGame& whole) {
  StoredGame part = whole;
  part.record.clear();
  part.record.seed = whole.record.seed;
  std::ranges::copy_if(whole.record.plies, std::back_inserter(part.record.plies),
                       &PlyRecord::opening);
  return part;
}

}  // namespace

TEST_CASE("games that a courier takes are in the store, byte by byte, each once") {
  const Scratch scratch;
  RunningServer server(service(scratch));
  const std::vector<StoredGame> games = uniform_games(shipped("connect4"), 200);
  Courier courier(courier_to(server.address(), scratch / "out"));
  for (const StoredGame& game : games) courier.deliver(packed(game));
  courier.deliver(packed(games[0]));  // once more
  REQUIRE(courier.wait_until_empty(30000));
  CHECK(courier.stats().stored == 200);
  Client client(server.address(), {});
  const std::map<GameId, std::string> stored = all_games(client);
  CHECK(stored.size() == 200);
  for (const StoredGame& game : games) CHECK(stored.at(game.id) == encode_game(game));
}

TEST_CASE("games wait for a store that is away, and a courier goes on where another stopped") {
  const Scratch scratch;
  const std::vector<StoredGame> games = uniform_games(shipped("connect4"), 20);
  const std::string address = service(scratch).listen[0];
  {
    Courier courier(courier_to(address, scratch / "out"));
    for (const StoredGame& game : games) courier.deliver(packed(game));
    courier.settle_outbox();
    CHECK_FALSE(courier.wait_until_empty(50));
  }
  Courier courier(courier_to(address, scratch / "out"));
  RunningServer server(service(scratch));
  REQUIRE(courier.wait_until_empty(30000));
  Client client(server.address(), {});
  CHECK(all_games(client).size() == 20);
}

TEST_CASE("a full outbox asks for no new games, and for some again when the store is back") {
  const Scratch scratch;
  const std::vector<StoredGame> games = uniform_games(shipped("connect4"), 10);
  CourierConfig config = courier_to(service(scratch).listen[0], scratch / "out");
  config.outbox_bytes = 1000;
  Courier courier(config);
  CHECK(courier.accepts());
  for (const StoredGame& game : games) courier.deliver(packed(game));
  courier.settle_outbox();
  CHECK_FALSE(courier.accepts());
  RunningServer server(service(scratch));
  REQUIRE(courier.wait_until_empty(30000));
  CHECK(courier.accepts());
}

TEST_CASE("a game that is not sound goes to quarantine, with the reason, and never to a trainer") {
  const Scratch scratch;
  RunningServer server(service(scratch));
  std::vector<StoredGame> games = uniform_games(shipped("connect4"), 40);
  std::ranges::stable_partition(
      games, [](const StoredGame& game) { return game.record.ending == Ending::by_rules; });
  games.resize(5);
  REQUIRE(games[0].record.ending == Ending::by_rules);
  games[0].record.result = games[0].record.result == 1 ? -1 : 1;
  games[1].models = {std::string(64, 'a')};
  games[2].rules ^= 1;
  games[2].models = {std::string(64, 'b')};  // that it is of other rules says more
  Courier courier(courier_to(server.address(), scratch / "out"));
  for (const StoredGame& game : games) courier.deliver(packed(game));
  courier.deliver({GameId{9}, "this is no game"});
  courier.deliver({GameId{8}, encode_game(games[4])});  // under another id
  REQUIRE(courier.wait_until_empty(30000));
  CHECK(courier.stats().stored == 2);
  CHECK(courier.stats().refused == 5);
  Client client(server.address(), {});
  CHECK(all_games(client).size() == 2);
  std::string reasons;
  Reader(scratch / "games.db").each_quarantined([&](const Reader::Quarantined& row) {
    CHECK(row.account == "local");
    reasons += row.reason + "\n";
  });
  CHECK(contains(reasons, "a model that the store does not know"));
  CHECK(contains(reasons, "under another id"));
  CHECK(!contains(reasons, std::string(64, 'b')));
  const std::string status = client.ask<Status>(AskStatus{}).json;
  CHECK(contains(status, "\"refused\":5"));
  CHECK(contains(status, "\"quarantined\":5"));
}

TEST_CASE("who follows hears of a new game when it comes") {
  const Scratch scratch;
  RunningServer server(service(scratch));
  Courier courier(courier_to(server.address(), scratch / "out"));
  const std::vector<StoredGame> games = uniform_games(shipped("connect4"), 1);
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    courier.deliver(packed(games[0]));
  });
  Client client(server.address(), {});
  const LogPage page = client.ask<Page>(Read{.after = 0, .wait_ms = 20000}).page;
  later.join();
  REQUIRE(page.entries.size() == 1);
  CHECK(page.entries[0].id == games[0].id);
  // And after a while that nothing came.
  CHECK(client.ask<Page>(Read{.after = page.next, .wait_ms = 50}).page.entries.empty());
}

TEST_CASE("games that are dropped reach those who follow") {
  const Scratch scratch;
  RunningServer server(service(scratch));
  const std::vector<StoredGame> games = uniform_games(shipped("connect4"), 4);
  Courier courier(courier_to(server.address(), scratch / "out"));
  for (const StoredGame& game : games) courier.deliver(packed(game));
  REQUIRE(courier.wait_until_empty(30000));
  Client client(server.address(), {});
  const std::uint64_t after = client.ask<Page>(Read{}).page.next;
  Drop drop{.filter = {}, .reason = "poisoned"};
  drop.filter.worker = games[0].worker;
  CHECK(client.ask<Dropped>(drop).games == 4);
  const LogPage page = client.ask<Page>(Read{.after = after}).page;
  REQUIRE(page.entries.size() == 1);
  CHECK(page.entries[0].kind == LogEntry::Kind::drop);
  CHECK(page.entries[0].dropped.size() == 4);
  CHECK(contains(client.ask<Status>(AskStatus{}).json, "\"dropped\":4"));
}

TEST_CASE("a store that keeps little lets the oldest games go, and says that they are missing") {
  const Scratch scratch;
  ServiceConfig config = service(scratch);
  config.keep.positions = 100;
  RunningServer server(config);
  Courier courier(courier_to(server.address(), scratch / "out"));
  for (const StoredGame& game : uniform_games(shipped("connect4"), 60))
    courier.deliver(packed(game));
  REQUIRE(courier.wait_until_empty(30000));
  const Reader reader(scratch / "games.db");
  for (int i = 0; i < 300 && reader.totals().positions > 100; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  CHECK(reader.totals().positions <= 100);
  CHECK(reader.totals().games > 0);
  Follower follower(server.address(), {}, 0);
  const std::optional<LogPage> page = follower.next(10000);
  REQUIRE(page);
  CHECK(page->missed == 60 - reader.totals().games);
}

TEST_CASE("a status tells who is there and what they said of themselves") {
  const Scratch scratch;
  RunningServer server(service(scratch));
  CourierConfig config = courier_to(server.address(), scratch / "out");
  config.beat_ms = 20;
  Courier courier(config);
  courier.say({{"games_per_second", 12.5}});
  Client client(server.address(), {});
  std::string status;
  for (int i = 0; i < 300 && !contains(status, "12.5"); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    status = client.ask<Status>(AskStatus{}).json;
  }
  CHECK(contains(status, "\"games_per_second\":12.5"));
  CHECK(contains(status, "\"worker\":\"test/1\""));
}

TEST_CASE("a follower sees each game once, in order, also across a restart of the store") {
  const Scratch scratch;
  std::map<GameId, int> seen;
  std::uint64_t last = 0;
  Follower follower(service(scratch).listen[0], {}, 0);
  Courier courier(courier_to(service(scratch).listen[0], scratch / "out"));
  const std::vector<StoredGame> games = uniform_games(shipped("connect4"), 60);
  for (int life = 0; life < 3; ++life) {
    RunningServer server(service(scratch));
    for (int i = 0; i < 20; ++i) courier.deliver(packed(games[std::size_t(20 * life + i)]));
    while (seen.size() < std::size_t(20 * life + 20)) {
      const std::optional<LogPage> page = follower.next(30000);
      REQUIRE(page);
      for (const LogEntry& entry : page->entries) {
        CHECK(entry.sequence > last);
        last = entry.sequence;
        ++seen[entry.id];
      }
    }
    REQUIRE(courier.wait_until_empty(30000));
  }
  for (const auto& [id, times] : seen) CHECK(times == 1);
}

TEST_CASE("an adjourned game is handed to whoever asks, and stored when it is finished") {
  const Scratch scratch;
  RunningServer server(service(scratch));
  const StoredGame whole = uniform_games(shipped("connect4"), 1)[0];
  const StoredGame part = adjourned(whole);
  Courier courier(courier_to(server.address(), scratch / "out"));
  courier.deliver(packed(part));
  REQUIRE(courier.wait_until_empty(30000));
  CHECK(courier.stats().adjourned == 1);
  Client client(server.address(), {});
  CHECK(all_games(client).empty());
  CHECK(client.ask<Adjourned>(TakeAdjourned{}).game == encode_game(part));
  CHECK(client.ask<Adjourned>(TakeAdjourned{}).game == "");  // it is lent
  courier.deliver(packed(whole));
  REQUIRE(courier.wait_until_empty(30000));
  CHECK(all_games(client).size() == 1);
  CHECK(contains(client.ask<Status>(AskStatus{}).json, "\"adjourned\":0"));
}

TEST_CASE("games adjourned before a long rest are handed out after it, not abandoned") {
  const Scratch scratch;
  ServiceConfig config = service(scratch);
  config.abandon_seconds = 4;
  const StoredGame part = adjourned(uniform_games(shipped("connect4"), 1)[0]);
  {
    RunningServer server(config);
    Courier courier(courier_to(server.address(), scratch / "out"));
    courier.deliver(packed(part));
    REQUIRE(courier.wait_until_empty(30000));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(5500));
  RunningServer server(config);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // it looks after itself at once
  Client client(server.address(), {});
  CHECK(contains(client.ask<Status>(AskStatus{}).json, "\"adjourned\":1"));
  CHECK(eventually([&] {
    return contains(client.ask<Status>(AskStatus{}).json, "\"adjourned\":0");
  }));  // nobody wanted it
}

TEST_CASE("what workers left who do not come back reaches the store; those that will are spared") {
  const Scratch scratch;
  const std::vector<StoredGame> games = uniform_games(shipped("connect4"), 4);
  const char* workers[] = {"1", "2", "3", "4", "notes"};
  for (std::size_t i = 0; i < std::size(workers); ++i) {
    const std::string folder = scratch / ("out/" + std::string(workers[i]));
    std::filesystem::create_directories(folder);
    Outbox(folder, 1 << 20).add(std::vector{packed(games[i % 4])});
  }
  const Outbox held(scratch / "out/3", 1 << 20);  // its worker is still there
  LeftOutboxes left(scratch / "out", 1, courier_to(service(scratch).listen[0], ""));
  CHECK(left.games() == 2);  // of workers 2 and 4
  RunningServer server(service(scratch));
  CHECK(eventually([&] { return left.tend(), left.games() == 0; }));
  Client client(server.address(), {});
  CHECK(all_games(client).size() == 2);
  CHECK(Outbox(scratch / "out/1", 1 << 20).games() == 1);
  CHECK(Outbox(scratch / "out/2", 1 << 20).games() == 0);  // it was let go of
  CHECK(left.games() == 0);
}

TEST_CASE("whoever asks in vain can tell silence from a refusal") {
  const Scratch scratch;
  Client client("ipc://" + (scratch / "nobody"), {});
  CHECK_THROWS_AS(client.ask<Welcome>(Hello{"test", ""}, 100), NoAnswer);
  RunningServer server(service(scratch));
  Client other(server.address(), {});
  CHECK_THROWS_AS(other.ask<Piece>(Fetch{std::string(64, '0'), 0}), RefusedByStore);
}
