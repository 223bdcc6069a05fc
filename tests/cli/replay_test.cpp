// The store as a program.
#include <doctest/doctest.h>

#include <fstream>

#include "core/store/reader.h"
#include "tests/program.h"
#include "tests/run.h"
#include "tests/running_server.h"

using namespace tabula;

namespace {

Ran replay(const std::string& arguments) { return run(TABULA_BUILD "/bin/replay " + arguments); }
Ran db(const std::string& arguments) { return tabula_program("db " + arguments); }

Program running_replay(const Scratch& folder) {
  Program program("replay",
                  {"--db", "games.db", "--game", "connect4", "--listen", "ipc://" + (folder / "s")},
                  folder.path(), "log");
  REQUIRE(eventually([&] { return served(folder / "games.db"); }));
  return program;
}

}  // namespace

TEST_CASE("replay says what is wrong with its options, in one line") {
  const Scratch folder;
  const std::string file = folder / "games.db";
  CHECK(contains(replay("").output, "which database? --db FILE"));
  CHECK(contains(replay("--db " + file).output, "--game NAME"));
  CHECK(contains(replay("--db " + file + " --game conect4").output, "Did you mean connect4?"));
  CHECK(contains(replay("--db " + file + " --gmae x").output, "Did you mean --game?"));
  CHECK(contains(replay("--db " + file + " --game connect4 --keep 7x").output, "'7x'"));
  CHECK(contains(replay("--db " + file + " --game connect4 --log-format xml").output, "'xml'"));
  CHECK(contains(replay("--db " + file + " --game connect4 --keys " + (folder / "none")).output,
                 "tabula keys new"));
  CHECK(contains(replay("--db " + file + " --game connect4 --listen tcp://1.2.3.4.5").output,
                 "--insecure"));
  CHECK(contains(replay("--db " + file + " --game connect4 --listen ipc:///none/such").output,
                 "cannot listen at"));
  CHECK(contains(replay("--db /none/such.db --game connect4").output, "there is no folder /none."));
  std::ofstream(folder / "text.db") << std::string(5000, 'x');
  CHECK(replay("--db " + (folder / "text.db")).status == 1);
  CHECK(contains(replay("--version").output, "replay 0."));
  CHECK(contains(replay("--help").output, "--insecure"));
}

TEST_CASE("a store that is killed or stopped has what it acknowledged, and tabula db reaches it") {
  const Scratch folder;
  const std::string file = folder / "games.db", socket = folder / "s";
  const std::vector<StoredGame> games = uniform_games(shipped("connect4"), 30);
  Courier courier(courier_to("ipc://" + socket, folder / "out"));
  const auto deliver = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) courier.deliver(packed(games[i]));
    REQUIRE(courier.wait_until_empty(60'000));
  };
  {
    Program program = running_replay(folder);
    deliver(0, 10);
    CHECK(contains(replay("--db " + file).output, "it is in use by process"));
    CHECK(program.end(SIGKILL) == 128 + SIGKILL);
  }
  {
    Program program = running_replay(folder);
    deliver(10, 20);
    CHECK(program.end(SIGTERM) == 0);
  }
  CHECK_FALSE(std::filesystem::exists(file + "-wal"));
  Program program = running_replay(folder);
  deliver(20, 30);
  CHECK(Reader(file).totals().games == 30);
  CHECK(db("check " + file).status == 0);

  std::ofstream(folder / "others.jsonl")
      << R"({"moves": ["1", "2", "1", "2", "1", "2", "1"], "result": 1})"
      << "\n";
  const Ran imported = db("import " + file + " " + (folder / "others.jsonl"));
  CHECK(contains(imported.output, "1 games stored"));
  CHECK(contains(db("drop " + file + " --worker import").output, "1 games are in quarantine now"));
  CHECK(contains(db("drop " + file + " --worker node-17/3").output, "30 games"));
  CHECK(Reader(file).totals().games == 0);
  CHECK(Reader(file).totals().dropped == 31);
}
