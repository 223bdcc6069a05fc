// Models, matches and rights of a store, over real sockets.
#include <doctest/doctest.h>

#include <fstream>

#include "core/base/digest.h"
#include "core/base/files.h"
#include "core/store/reader.h"
#include "core/wire/keys.h"
#include "core/wire/model_transfer.h"
#include "tests/program.h"
#include "tests/run.h"
#include "tests/running_server.h"

using namespace tabula;

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
  for (const StoredGame& game : uniform_games(shipped("connect4"), 5))
    courier.deliver(packed(game));
  REQUIRE(courier.wait_until_empty(30000));

  Client worker(server.address(), key("worker")), trainer(server.address(), key("trainer")),
      viewer(server.address(), key("viewer"));
  CHECK(worker.ask<Welcome>(Hello{"selfplay", "x"}).account == "worker");
  CHECK(viewer.ask<Welcome>(Hello{"x", "x"}).role == "viewer");
  CHECK(viewer.ask<Page>(Read{}).page.entries.size() == 5);
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
  const auto greeting = [](Client& client) {
    return refusal([&] { client.ask<Welcome>(Hello{"x", "x"}, 1000); });
  };
  CHECK(contains(greeting(stranger), "it came with no key"));
  // Keys of another run, with this store's open key: made by hand, so that only the doorman
  // refuses.
  ClientKeys forged = key("worker");
  new_store_keys(scratch / "other");
  new_client_keys(scratch / "other", "worker", Role::admin);
  forged.curve = read_client_keys(scratch / "other/worker.key").curve;
  Client liar(server.address(), forged);
  CHECK(contains(greeting(liar), "does not let this client in"));
  CHECK(eventually([&] { return server.summary().refused >= 2; }));

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
