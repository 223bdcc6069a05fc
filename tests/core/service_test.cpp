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
#include "core/wire/model_transfer.h"
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

std::vector<StoredGame> connect4_games(int count) {
  std::vector<StoredGame> games = played_games(shipped("connect4"), count);
  for (StoredGame& game : games) {
    game.models = {"uniform"};
    for (PlyRecord& ply : game.record.plies) ply.model = 0;
  }
  return games;
}

std::string refusal(auto act) {
  try {
    act();
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

// A tiny network's file.
std::string model_of(const Rules& rules, std::uint64_t seed) {
  return encode_safetensors(
      to_tensor_file(new_net(rules, NetConfig{.blocks = 1, .channels = 32}, seed)));
}

}  // namespace

TEST_CASE("games that a courier takes are in the store, byte by byte, each once") {
  const Scratch scratch;
  RunningServer server(service(scratch));
  const std::vector<StoredGame> games = connect4_games(200);
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
  const std::vector<StoredGame> games = connect4_games(20);
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
  const std::vector<StoredGame> games = connect4_games(10);
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
  std::vector<StoredGame> games = connect4_games(40);
  std::ranges::stable_partition(
      games, [](const StoredGame& game) { return game.record.ending == Ending::by_rules; });
  games.resize(5);
  REQUIRE(games[0].record.ending == Ending::by_rules);
  games[0].record.result = games[0].record.result == 1 ? -1 : 1;
  games[1].models = {std::string(64, 'a')};
  games[2].rules ^= 1;
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
  const std::string status = client.ask<Status>(AskStatus{}).json;
  CHECK(contains(status, "\"refused\":5"));
  CHECK(contains(status, "\"quarantined\":5"));
}

TEST_CASE("who follows hears of a new game when it comes") {
  const Scratch scratch;
  RunningServer server(service(scratch));
  Courier courier(courier_to(server.address(), scratch / "out"));
  const std::vector<StoredGame> games = connect4_games(1);
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
  const std::vector<StoredGame> games = connect4_games(4);
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
  for (const StoredGame& game : connect4_games(60)) courier.deliver(packed(game));
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
  const std::vector<StoredGame> games = connect4_games(60);
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
  const StoredGame whole = connect4_games(1)[0];
  StoredGame part = whole;
  part.record.clear();
  part.record.seed = whole.record.seed;
  std::ranges::copy_if(whole.record.plies, std::back_inserter(part.record.plies),
                       &PlyRecord::opening);
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

TEST_CASE("a model that was published can be listed and fetched, and is what its name says") {
  const Scratch scratch;
  RunningServer server(service(scratch));
  Client client(server.address(), {});
  const std::string bytes = model_of(shipped("connect4"), 1);
  ModelRow about;
  about.step = 77;
  about.parent = "none";
  const std::string id = publish_model(client, {}, about, bytes);
  CHECK(publish_model(client, {}, about, bytes) == id);  // again: it is there
  const std::vector<ModelRow> models = client.ask<ModelList>(Models{}).models;
  REQUIRE(models.size() == 1);
  CHECK(models[0].id == id);
  CHECK(models[0].step == 77);
  CHECK(models[0].parent == "none");
  CHECK(models[0].account == "local");
  CHECK(fetch_model(client, {}, id) == bytes);
  CHECK(client.ask<ChampionIs>(AskChampion{}).champion.model == "");
  CHECK(client.ask<Done>(Promote{0, id, 0}).changed);
  CHECK_FALSE(client.ask<Done>(Promote{0, id, 0}).changed);
  CHECK(client.ask<ChampionIs>(AskChampion{}).champion.model == id);
}

TEST_CASE("models of another game, with other bytes, or under a wrong name are refused") {
  const Scratch scratch;
  RunningServer server(service(scratch));
  Client client(server.address(), {});
  const std::string other = model_of(shipped("tictactoe"), 1);
  CHECK(contains(refusal([&] { publish_model(client, {}, {}, other); }), "another game"));
  const std::string bytes = model_of(shipped("connect4"), 1);
  std::string altered = bytes;
  altered.back() = char(altered.back() ^ 1);
  const auto send = [&](const std::string& id, const std::string& content) {
    return refusal([&] {
      client.ask<Published>(Publish{{.id = id, .bytes = content.size()}, 0, content});
    });
  };
  CHECK(send(model_id(bytes), altered) != "");
  CHECK(contains(send("../../etc/passwd", bytes), "hexadecimal"));
  CHECK(contains(send(std::string(64, 'A'), bytes), "hexadecimal"));
  const std::string id = publish_model(client, {}, {}, bytes);  // nobody spoilt it for this one
  CHECK(contains(refusal([&] { fetch_model(client, {}, std::string(64, '0')); }), "no model"));
  CHECK(client.ask<ModelList>(Models{}).models.size() == 1);
  // A file that has changed on the store's disk reaches nobody.
  const std::string file = scratch / ("games.db.models/" + id + ".safetensors");
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  std::ofstream(file, std::ios::binary) << altered;
  CHECK(refusal([&] { fetch_model(client, {}, id); }) != "");
}

TEST_CASE("matches are played in slots, each counted once, and the champion follows the verdict") {
  const Scratch scratch;
  RunningServer server(service(scratch));
  Client client(server.address(), {});
  const std::string first = publish_model(client, {}, {}, model_of(shipped("connect4"), 1));
  const std::string second = publish_model(client, {}, {}, model_of(shipped("connect4"), 2));
  REQUIRE(client.ask<Done>(Promote{0, first, 0}).changed);
  const std::uint64_t match =
      client.ask<Done>(OpenMatch{{.candidate = second, .champion = first, .slots = 2}}).number;
  const LentSlot a = client.ask<LentSlot>(AskSlot{match, 60});
  const LentSlot b = client.ask<LentSlot>(AskSlot{match, 60});
  CHECK(a.lent);
  CHECK(b.lent);
  CHECK(a.slot != b.slot);
  CHECK_FALSE(client.ask<LentSlot>(AskSlot{match, 60}).lent);
  CHECK(client.ask<Done>(ReportSlot{match, a.slot, "2"}).changed);
  CHECK_FALSE(client.ask<Done>(ReportSlot{match, a.slot, "0"}).changed);
  CHECK(client.ask<ReportList>(Reports{match}).slots.size() == 1);
  CHECK(client.ask<Done>(Decide{match, "better", true}).changed);
  CHECK_FALSE(client.ask<Done>(Decide{match, "better", true}).changed);
  const Champion champion = client.ask<ChampionIs>(AskChampion{}).champion;
  CHECK(champion.model == second);
  CHECK(champion.match == match);
  CHECK_FALSE(client.ask<MatchList>(Matches{}).matches.at(0).open);
}

TEST_CASE("with keys, only known clients come in, and each may do what its role allows") {
  const Scratch scratch;
  const std::string keys = scratch / "keys";
  new_store_keys(keys);
  for (const char* role : {"worker", "trainer", "viewer"})
    new_client_keys(keys, role, parse_role(role));
  ServiceConfig config = service(scratch);
  config.keys = keys;
  config.listen = {"tcp://127.0.0.1:*"};
  RunningServer server(config);
  const auto key = [&](const std::string& name) {
    return read_client_keys(keys + "/" + name + ".key");
  };

  CourierConfig courier_config = courier_to(server.address(), scratch / "out");
  courier_config.keys = key("worker");
  Courier courier(courier_config);
  for (const StoredGame& game : connect4_games(5)) courier.deliver(packed(game));
  REQUIRE(courier.wait_until_empty(30000));

  Client worker(server.address(), key("worker")), trainer(server.address(), key("trainer")),
      viewer(server.address(), key("viewer"));
  CHECK(worker.ask<Welcome>(Hello{"selfplay", "x"}).account == "worker");
  CHECK(viewer.ask<Welcome>(Hello{"x", "x"}).role == "viewer");
  CHECK(all_games(viewer).size() == 5);
  const std::string bytes = model_of(shipped("connect4"), 1), id = model_id(bytes);
  CHECK(contains(refusal([&] { worker.ask<Done>(Promote{0, id, 0}); }), "may not"));
  CHECK(contains(refusal([&] { publish_model(worker, key("worker"), {}, bytes); }), "may not"));
  CHECK(contains(refusal([&] { publish_model(trainer, {}, {}, bytes); }), "not signed"));
  CHECK(publish_model(trainer, key("trainer"), {}, bytes) == id);
  CHECK(worker.ask<ModelList>(Models{}).models.at(0).account == "trainer");
  CHECK(fetch_model(worker, key("worker"), id) == bytes);
  ClientKeys distrustful = key("worker");
  distrustful.models[0] ^= 1;
  CHECK(contains(refusal([&] { fetch_model(worker, distrustful, id); }), "not signed"));

  Client stranger(server.address(), {});
  CHECK(contains(refusal([&] { stranger.ask<Welcome>(Hello{"x", "x"}, 500); }), "does not answer"));
  // Keys of another run, with this store's open key: made by hand, so that only the doorman
  // refuses.
  ClientKeys forged = key("worker");
  new_store_keys(scratch / "other");
  new_client_keys(scratch / "other", "worker", Role::admin);
  forged.curve = read_client_keys(scratch / "other/worker.key").curve;
  Client liar(server.address(), forged);
  CHECK(contains(refusal([&] { liar.ask<Welcome>(Hello{"x", "x"}, 500); }), "does not answer"));

  std::filesystem::remove(keys + "/viewer.pub");
  CHECK(contains(refusal([&] { viewer.ask<Welcome>(Hello{"x", "x"}); }), "is unknown"));
}

TEST_CASE("other versions of the protocol, and bytes that are no message, get a sentence") {
  const Scratch scratch;
  RunningServer server(service(scratch));
  ClientSocket socket(server.address(), {});
  const auto answer = [&](const std::string& bytes) {
    socket.send(bytes);
    const std::optional<std::string> got = socket.receive(10000);
    REQUIRE(got);
    Received received(*got);
    return received.as<Refused>().sentence;
  };
  CHECK(contains(answer(encode_message(Hello{"x", "y"}, 1, kProtocol + 1)), "not version 2"));
  CHECK(answer("hello") != "");
  CHECK(answer(encode_message(Status{}, 1)) != "");  // an answer is no request
  Client client(server.address(), {});
  CHECK(client.ask<Welcome>(Hello{"x", "y"}).game == "connect4");
}

TEST_CASE("a store that anybody could reach needs keys, or a word that it is meant") {
  const Scratch scratch;
  ServiceConfig config = service(scratch);
  config.listen = {"tcp://*:*"};
  CHECK(contains(refusal([&] { RunningServer server(config); }), "--insecure"));
  config.insecure = true;
  CHECK(refusal([&] { RunningServer server(config); }) == "");
}
