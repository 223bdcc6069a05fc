// A run is brought home, and a plugin into an image.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/store/reader.h"
#include "core/wire/model_transfer.h"
#include "tests/program.h"
#include "tests/run.h"
#include "tests/running_server.h"

using namespace tabula;
namespace fs = std::filesystem;

namespace {

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("fetch brings games, models and curves home, and then only what is new") {
  const Scratch folder;
  const std::string address = "ipc://" + (folder / "s"), home = folder / "home";
  Program store("replay", {"--db", "games.db", "--game", "connect4", "--listen", address},
                folder.path(), "log");
  REQUIRE(eventually([&] { return served(folder / "games.db"); }));
  Courier courier(courier_to(address, folder / "out"));
  const std::vector<StoredGame> games = uniform_games(shipped("connect4"), 30);
  const auto deliver = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) courier.deliver(packed(games[i]));
    REQUIRE(courier.wait_until_empty(60'000));
  };
  deliver(0, 20);
  Client client(address, std::nullopt);
  std::vector<std::string> ids;
  for (const std::uint64_t seed : {1, 2, 3})
    ids.push_back(
        publish_model(client, std::nullopt, {.step = seed}, model_of(shipped("connect4"), seed)));
  client.ask<Done>(Promote{0, ids[1]});

  const auto fetch = [&](const std::string& more) {
    return tabula_program("fetch " + address + " --out " + home + more);
  };
  const Ran first = fetch("");
  CHECK_MESSAGE(first.status == 0, first.output);
  CHECK(contains(first.output, "20 games and 2 models are new"));
  {
    const Reader reader(home + "/games.db");
    CHECK(reader.check().empty());
    CHECK(reader.totals().games == 20);
    CHECK(reader.champion().model == ids[1]);
    CHECK(reader.models().size() == 2);
    CHECK(reader.identity().game == "connect4");
  }
  CHECK(contains(text_of(home + "/models.csv"), ids[2]));
  deliver(20, 30);
  CHECK(contains(fetch(" --models all").output, "10 games and 1 models are new"));
  CHECK(contains(fetch(" --models all").output, "0 games and 0 models are new"));
  std::ofstream(home + "/fetched") << "nonsense";  // then all come again, and none is stored twice
  CHECK(contains(fetch("").output, "0 games and 0 models are new"));
  CHECK(Reader(home + "/games.db").totals().games == 30);
  CHECK(store.end(SIGTERM) == 0);
  const Ran played = run("echo quit | " TABULA_BUILD "/bin/tabula play connect4 --run " + home);
  CHECK_MESSAGE(played.status == 0, played.output);
}

TEST_CASE("fetch says what is wrong, in one line") {
  const Scratch folder;
  CHECK(contains(tabula_program("fetch ipc:///none/s").output, "--out DIR"));
  CHECK(contains(
      tabula_program("fetch ipc:///none/s --out " + (folder / "x") + " --models no").output,
      "champion or all"));
}

TEST_CASE("image writes a Containerfile of three lines, over nothing") {
  const Scratch folder;
  fs::copy(TABULA_BUILD "/lib/tabula/games/tictactoe.so", folder / "tictactoe.so");
  fs::copy(TABULA_BUILD "/lib/tabula/games/tictactoe.ini", folder / "tictactoe.ini");
  const std::string plugin = folder / "tictactoe.so";
  const Ran ran = tabula_program("image " + plugin + " --images registry/tabula");
  CHECK_MESSAGE(ran.status == 0, ran.output);
  CHECK(text_of(folder / "Containerfile") ==
        "ARG PROGRAM=selfplay\nFROM registry/tabula/${PROGRAM}\n"
        "COPY tictactoe.so tictactoe.ini /usr/local/lib/tabula/games/\n");
  CHECK(contains(tabula_program("image " + plugin).output, "it is there already"));
  CHECK(tabula_program("image " + (folder / "none.so")).status == 1);
  CHECK(contains(tabula_program("image tictactoe").output, "a plugin's file is wanted"));
}
