// What a store tells an orchestrator: pages over HTTP, and probes.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/wire/client.h"
#include "tests/http.h"
#include "tests/program.h"
#include "tests/run.h"
#include "tests/running_server.h"

using namespace tabula;

namespace {

int port_said(const Program& program) {
  const std::string said = program.said(), before = "serves pages (port=";
  const std::size_t at = said.find(before);
  return at == said.npos ? 0 : std::atoi(said.c_str() + at + before.size());
}

}  // namespace

TEST_CASE("a store tells how many workers it wants, as metrics and as JSON, and is ready") {
  const Scratch folder;
  const std::string address = "ipc://" + (folder / "s"), health = folder / "health";
  Program program("replay",
                  {"--db", "games.db", "--game", "tictactoe", "--listen", address, "--pages",
                   "127.0.0.1:0", "--health", health},
                  folder.path(), "log");
  REQUIRE(eventually([&] { return port_said(program) > 0; }));
  const int port = port_said(program);
  const auto status = [&] {
    const std::string answer = http_get(port, "/status");
    return nlohmann::json::parse(answer.substr(answer.find("\r\n\r\n") + 4));
  };
  REQUIRE(eventually([&] { return status()["game"] == "tictactoe"; }));
  CHECK(status()["pace"]["wanted_workers"] == 1);  // nothing is known yet
  const std::string probe = TABULA_BUILD "/bin/replay probe ";
  CHECK(eventually([&] { return run(probe + "ready " + health).status == 0; }));

  Courier courier(courier_to(address, folder / "out"));
  courier.deliver(packed(uniform_games(shipped("tictactoe"), 1).front()));
  REQUIRE(courier.wait_until_empty(60'000));

  // A trainer that uses 800 samples/s when it is not waiting, each position 8 times; two workers
  // that search 20 plies a second each, all of which it learns from. Five of them would do, but the
  // wish only doubles.
  Client client(address, std::nullopt);
  const auto beat = [&] {
    client.ask<Done>(Beat{"trainer",
                          "t",
                          {{"samples_per_second", 80},
                           {"waiting", 0.9},
                           {"reuse", 7.5},
                           {"reuse_target", 8},
                           {"fresh_per_second", 10}}});
    for (const char* worker : {"a", "b"})
      client.ask<Done>(Beat{"selfplay", worker, {{"plies/s", 20}}});
  };
  CHECK(eventually([&] {
    beat();
    return status()["pace"]["wanted_workers"] == 4;
  }));
  CHECK(status()["pace"]["reuse"] == 7.5);
  // The courier beats too, but says nothing of playing.
  CHECK(status()["running"] == nlohmann::json{{"selfplay", 3}, {"trainer", 1}});
  const std::string metrics = http_get(port, "/metrics");
  CHECK(contains(metrics, "\ntabula_wanted_workers 4\n"));
  CHECK(contains(metrics, "\ntabula_reuse_target 8\n"));
  CHECK(contains(metrics, "\ntabula_running{program=\"selfplay\"} 3\n"));
  CHECK(contains(http_get(port, "/"), "<title>Tabula</title>"));
  CHECK(program.end(SIGTERM) == 0);
}
