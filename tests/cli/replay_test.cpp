// The store as a program.
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "core/store/ownership.h"
#include "core/store/reader.h"
#include "tests/run.h"
#include "tests/running_server.h"

using namespace tabula;

namespace {

Ran replay(const std::string& arguments) { return run(TABULA_BUILD "/bin/replay " + arguments); }
Ran db(const std::string& arguments) { return tabula_program("db " + arguments); }

// bin/replay in the background, until it is ended.
class Program {
 public:
  Program(const std::string& database, const std::string& socket) : id_(fork()) {
    if (id_ == 0) {
      freopen((database + ".log").c_str(), "a", stderr);
      const std::string program = TABULA_BUILD "/bin/replay";
      execl(program.c_str(), "replay", "--db", database.c_str(), "--game", "connect4", "--listen",
            ("ipc://" + socket).c_str(), nullptr);
      _exit(127);
    }
    for (int i = 0; i < 600 && !listens(database); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  ~Program() { end(SIGKILL); }

  // The exit code; 128 + n after signal n.
  int end(int signal) {
    if (id_ <= 0) return -1;
    ::kill(id_, signal);
    int status = 0;
    waitpid(id_, &status, 0);
    id_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  static bool listens(const std::string& database) {
    const std::optional<Owner> owner = owner_of(database);
    return owner && !owner->address.empty();
  }
  pid_t id_;
};

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
  std::ofstream(folder / "text.db") << std::string(5000, 'x');
  CHECK(replay("--db " + (folder / "text.db")).status == 1);
  CHECK(contains(replay("--version").output, "replay 0."));
  CHECK(contains(replay("--help").output, "--insecure"));
}

TEST_CASE("a store that is killed or stopped has what it acknowledged, and tabula db reaches it") {
  const Scratch folder;
  const std::string file = folder / "games.db", socket = folder / "s";
  const std::vector<StoredGame> games = played_games(shipped("connect4"), 30);
  Courier courier(courier_to("ipc://" + socket, folder / "out"));
  const auto deliver = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      StoredGame game = games[i];
      game.models = {"uniform"};
      for (PlyRecord& ply : game.record.plies) ply.model = 0;
      courier.deliver(packed(game));
    }
    REQUIRE(courier.wait_until_empty(60'000));
  };
  {
    Program program(file, socket);
    deliver(0, 10);
    CHECK(contains(replay("--db " + file).output, "it is in use by process"));
    CHECK(program.end(SIGKILL) == 128 + SIGKILL);
  }
  {
    Program program(file, socket);
    deliver(10, 20);
    CHECK(program.end(SIGTERM) == 0);
  }
  CHECK_FALSE(std::filesystem::exists(file + "-wal"));
  Program program(file, socket);
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
