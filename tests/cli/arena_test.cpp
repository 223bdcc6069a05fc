// The arena as a program.
#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "core/arena/match_settings.h"
#include "tests/arenas.h"
#include "tests/program.h"
#include "tests/run.h"

using namespace tabula;

namespace {

Ran arena(const std::string& arguments) { return run(TABULA_BUILD "/bin/arena " + arguments); }

nlohmann::json tournament(const std::string& arguments) {
  const Ran ran = arena("tournament --json " + arguments);
  CAPTURE(ran.output);
  REQUIRE(ran.status == 0);
  return nlohmann::json::parse(ran.output);
}

Program running_arena(const std::string& address, const Scratch& folder) {
  return {
      "arena", {"--replay", address, "--lease", "2", "--games-at-once", "8"}, folder.path(), "log"};
}

std::map<std::uint32_t, std::string> results(const Reader& reader, std::uint64_t match) {
  std::map<std::uint32_t, std::string> slots;
  for (const SlotRow& row : reader.reported(match))
    CHECK(slots.emplace(row.slot, row.result).second);
  return slots;
}

}  // namespace

TEST_CASE("arena says what is wrong with its options, in one line") {
  CHECK(contains(arena("--gate open").output, "'open' is no gate; there are sprt and none."));
  CHECK(contains(arena("--elo0 40").output, "elo0 must be below elo1"));
  CHECK(contains(arena("--share 2").output, "--share takes more than 0"));
  CHECK(contains(arena("--reply x").output, "Did you mean --replay?"));
  CHECK(contains(arena("--replay nowhere").output, "nobody serves this database"));
  CHECK(contains(arena("tournament random --game go5").output, "two players at least"));
  CHECK(contains(arena("tournament random random").output, "which game? --game NAME"));
  CHECK(contains(arena("tournament random solver --game go5").output, "no solver for go5"));
  CHECK(contains(arena("tournament random x.safetensors --game go5").output, "x.safetensors"));
  CHECK(contains(arena("tournament random random --game tictactoe --opening-plies 9").output,
                 "no openings of 9 plies"));
  CHECK(arena("--gate open").status == 1);
  CHECK(contains(arena("--version").output, "arena "));
  CHECK(contains(arena("--help").output, "--games-at-once"));
  CHECK(contains(arena("tournament --help").output, "minimax:DEPTH"));
}

TEST_CASE("a tournament finds out who is stronger") {
  const auto rated = tournament("rollout:10 rollout:200 random --game connect4 --pairs 20");
  CHECK(rated["game"] == "connect4");
  CHECK(rated["games"] == 3 * 20 * 2);
  CHECK(rated["distinct"] == 3 * 20 * 2);
  const auto& players = rated["players"];
  REQUIRE(players.size() == 3);
  CHECK(players[1]["name"] == "rollout:200");
  CHECK(players[1]["low"] > players[0]["high"]);
  CHECK(players[0]["elo"] > players[2]["elo"]);
  CHECK(players[0]["games"] == 80);
  CHECK(tournament("rollout:10 rollout:200 random --game connect4 --pairs 20 --games-at-once 6") ==
        rated);
}

TEST_CASE("a tournament that is told to stop does not wait for its games") {
  const Scratch folder;
  Program arena(
      "arena", {"tournament", "rollout:1000000", "rollout:999999", "--game", "go9", "--pairs", "2"},
      folder.path(), "log");
  std::this_thread::sleep_for(std::chrono::seconds(1));
  CHECK(arena.end(SIGINT) == 0);
  CHECK_MESSAGE(arena.says("0 games"), arena.said());
}

TEST_CASE("the solver loses no pair: what it cannot hold with one colour it wins with the other") {
  const std::string openings = " --game connect4 --opening-plies 14 --pairs 6";
  CHECK(tournament("solver random" + openings)["players"][0]["points"] > 8);
  CHECK(tournament("solver rollout:50" + openings)["players"][0]["points"] >= 6);
  CHECK(tournament("solver solver" + openings)["players"][0]["points"] == 6);
}

TEST_CASE("models play in tournaments from files and from a store, with simulations of their own") {
  const Scratch folder;
  const Rules& rules = shipped("tictactoe");
  const std::string file = folder / "net.safetensors";
  save_net(small_net(rules, 5), file);
  RunningServer server(service(folder), rules);
  const std::string id = publish(server.address(), small_net(rules, 6));
  Client(server.address(), {}).ask<Done>(Promote{0, id, 0});
  const auto rated =
      tournament("champion " + id.substr(0, 8) + "@3 latest@9 " + file +
                 "@20 random --simulations 20 --pairs 3 --replay " + server.address());
  CHECK(rated["game"] == "tictactoe");
  CHECK(rated["players"].size() == 5);
  CHECK(rated["players"][3]["name"] == file + "@20");
  const Ran table = arena("tournament champion random --pairs 2 --replay " + server.address());
  CHECK(contains(table.output, "95 % interval"));
  CHECK(contains(table.output, "tictactoe: 4 games, 4 of them distinct; 2 openings of 1 plies."));
  CHECK(contains(arena("tournament abcdef0 random --replay " + server.address()).output,
                 "neither a file nor a model of the store"));
}

TEST_CASE("an arena that is killed in the middle of a match leaves nothing behind but a pause") {
  const Scratch folder, calm;
  const Rules& rules = shipped("othello6");
  RunningServer server(service(folder), rules), other(service(calm), rules);
  const MatchSettings settings{.gated = false, .seed = 5, .simulations = 60, .opening_plies = 4};
  for (const std::string& address : {server.address(), other.address()}) {
    const std::string champion = publish(address, small_net(rules, 1));
    const std::string candidate = publish(address, small_net(rules, 2));
    Client client(address, {});
    client.ask<Done>(Promote{0, champion, 0});
    client.ask<Done>(OpenMatch{{.candidate = candidate,
                                .champion = champion,
                                .slots = 70,
                                .settings = to_text(settings)}});
  }
  const Reader reader(folder / "games.db"), calm_reader(calm / "games.db");
  for (const std::size_t until : {1, 20}) {
    Program program = running_arena(server.address(), folder);
    CHECK(eventually([&] { return reader.reported(1).size() >= until; }));
    CHECK(program.end(SIGKILL) == 128 + SIGKILL);
    CHECK(reader.match(1)->open);
  }
  Program program = running_arena(server.address(), folder);
  Program undisturbed = running_arena(other.address(), calm);
  CHECK(eventually([&] { return !reader.match(1)->open && !calm_reader.match(1)->open; }));
  CHECK(results(reader, 1).size() == 70);
  CHECK(results(reader, 1) == results(calm_reader, 1));
  CHECK(reader.match(1)->verdict == calm_reader.match(1)->verdict);
  CHECK(program.end(SIGTERM) == 0);
}

TEST_CASE("an arena waits for a store that is away, and ends when it is told to") {
  const Scratch folder;
  const std::string log = folder / "log";
  Program program = running_arena("ipc://" + (folder / "s"), folder);
  CHECK(eventually([&] {
    std::ifstream file(log);
    const std::string said(std::istreambuf_iterator<char>(file), {});
    return contains(said, "waiting for the store");
  }));
  {
    RunningServer server(service(folder), shipped("tictactoe"));
    const std::string first = publish(server.address(), small_net(shipped("tictactoe"), 1));
    CHECK(eventually([&] { return Reader(folder / "games.db").champion().model == first; }));
  }
  CHECK(program.end(SIGTERM) == 0);
}
