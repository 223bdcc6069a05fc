// `tabula train`: a whole training, from start to summary.
#include <doctest/doctest.h>

#include "core/nn/torch_library.h"
#include "core/store/ownership.h"
#include "core/store/reader.h"
#include "tests/program.h"
#include "tests/run.h"
#include "tests/scratch.h"
#include "tests/without_torch.h"

using namespace tabula;

namespace {

using Words = std::vector<std::string>;

std::string text_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::ptrdiff_t times(const std::string& text, const std::string& part) {
  std::ptrdiff_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("tabula train runs everything, restarts what dies, stops cleanly and goes on") {
  if (skipped_without_torch()) return;
  const Scratch folder;
  const Words args = {"train", "tictactoe", "--run", "r", "--publish-steps", "50"};
  const std::string database = folder / "r/games.db";
  const auto champion = [&] {
    try {
      return std::filesystem::exists(database) ? Reader(database).champion().model : "";
    } catch (const Error&) {  // it is being made
      return std::string();
    }
  };
  std::uint64_t games = 0;
  {
    Program train("tabula", args, folder.path(), "first.log");
    REQUIRE_MESSAGE(eventually([&] { return !champion().empty(); }), train.said());
    const Ran second =
        run("cd " + folder.path() + " && " TABULA_BUILD "/bin/tabula train tictactoe --run r");
    CHECK(second.status == 1);
    CHECK(contains(second.output, "another 'tabula train' has this run"));

    const std::vector<pid_t> children = train.children();
    CHECK(children.size() >= 4);  // store, trainer, arena, self-play
    for (pid_t child : children) kill(child, SIGKILL);
    for (const char* name : {"replay", "trainer", "arena", "selfplay-1"}) {
      CAPTURE(name);
      const std::string log = folder / ("r/logs/" + std::string(name) + ".log");
      const char* began = std::string(name) == "replay"    ? "listening"
                          : std::string(name) == "trainer" ? "goes on from its checkpoint"
                          : std::string(name) == "arena"   ? "testing candidates"
                                                           : "plays (game=";
      const int wanted = std::string(name) == "trainer" ? 1 : 2;
      CHECK_MESSAGE(eventually([&] { return times(text_of(log), began) >= wanted; }), text_of(log));
    }
    games = Reader(database).totals().seen_games;
    CHECK(eventually([&] { return Reader(database).totals().seen_games > games; }));
    kill(train.process(), SIGTERM);
    CHECK_MESSAGE(train.end(SIGINT) == 0, train.said());  // two in a row are one request
    CHECK(train.says("To play it:     tabula play tictactoe --run r"));
    CHECK(
        train.says("To measure it:  tabula eval tictactoe --run r --model champion --solver 200"));
    CHECK(champion() == Reader(database).models().back().id);  // the last model, too
    CHECK(!owner_of(database));
  }
  const std::string settings = text_of(folder / "r/run.ini");
  const Ran other = run("cd " + folder.path() +
                        " && " TABULA_BUILD "/bin/tabula train tictactoe --run r --net 2x32");
  CHECK(other.status == 1);
  CHECK_MESSAGE(contains(other.output, "r: its network is 3x32, not 2x32; "), other.output);
  CHECK(text_of(folder / "r/run.ini") == settings);
  games = Reader(database).totals().seen_games;
  CHECK(Reader(database).check().empty());
  Program again("tabula", args, folder.path(), "again.log");
  CHECK(eventually([&] { return Reader(database).totals().seen_games > games; }));
  CHECK(again.end(SIGTERM) == 0);

  const Ran played = run("cd " + folder.path() +
                         " && printf 'b2\nmoves\nquit\n' | " TABULA_BUILD
                         "/bin/tabula play tictactoe --run r --simulations 50");
  CHECK_MESSAGE(played.status == 0, played.output);
  CHECK(contains(played.output, "it plays "));
}

TEST_CASE("a program that cannot run ends a training with its sentence, and all the others") {
  if (skipped_without_torch()) return;
  const Scratch folder;
  std::filesystem::create_directories(folder / "r");
  std::ofstream(folder / "r/training") << "no folder";
  std::ofstream(folder / "threads.ini") << "threads = 0\n";  // one worker, all cores
  Program train("tabula", {"train", "tictactoe", "--run", "r", "--config", "threads.ini"},
                folder.path(), "log");
  CHECK(train.wait() == 1);
  CHECK_MESSAGE(train.says("trainer ended and is started again; see "), train.said());
  CHECK_MESSAGE(train.says("stopping\n"), train.said());
  CHECK_MESSAGE(train.says("tabula: trainer: "), train.said());
  CHECK(std::filesystem::exists(folder / "r/logs/selfplay-1.log"));
  CHECK(!std::filesystem::exists(folder / "r/logs/selfplay-2.log"));
  CHECK(!owner_of(folder / "r/games.db"));
  CHECK(Reader(folder / "r/games.db").check().empty());
}

TEST_CASE("a run of another game, or of rules that have changed, is not touched") {
  if (skipped_without_torch()) return;
  const Scratch folder;
  const std::string plugin = folder / "game.so", built = TABULA_BUILD "/tests/";
  const auto train = [&](const std::string& game, const std::string& more = "") {
    return run("cd " + folder.path() + " && " TABULA_BUILD "/bin/tabula train " + game +
               " --run r " + more);
  };
  std::filesystem::copy_file(built + "plugins/take_two.so", plugin);
  REQUIRE_MESSAGE(train(plugin, "--minutes 0.05").status == 0, "the run");
  const std::uint64_t head = Reader(folder / "r/games.db").head();
  std::filesystem::remove(plugin);
  std::filesystem::copy_file(built + "rebuilt/take_two.so", plugin);
  const Ran rebuilt = train(plugin);
  CHECK(rebuilt.status == 1);
  CHECK_MESSAGE(contains(rebuilt.output, "other rules"), rebuilt.output);
  const Ran other = train("tictactoe");
  CHECK(other.status == 1);
  CHECK_MESSAGE(contains(other.output, "take_two"), other.output);
  CHECK(Reader(folder / "r/games.db").head() == head);
  CHECK(Reader(folder / "r/games.db").check().empty());
}
