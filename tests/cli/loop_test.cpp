// selfplay, trainer and store as programs, side by side.
#include <doctest/doctest.h>

#include <set>

#include "core/data/safetensors.h"
#include "core/nn/torch_library.h"
#include "core/store/ownership.h"
#include "core/store/reader.h"
#include "tests/program.h"
#include "tests/run.h"
#include "tests/scratch.h"
#include "tests/support.h"
#include "tests/without_torch.h"

using namespace tabula;

namespace {

using Words = std::vector<std::string>;

// What was played, without who played it: ids are random.
std::multiset<std::string> games_in(const std::string& file) {
  std::multiset<std::string> games;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const std::size_t id = line.find("\"id\":\"");
    REQUIRE(id != line.npos);
    line.erase(id, line.find('"', id + 6) - id);
    games.insert(line);
  }
  return games;
}

Ran selfplay(const std::string& args) { return run(TABULA_BUILD "/bin/selfplay " + args); }

std::string model_for(const std::string& game, const Scratch& folder) {
  const std::string file = folder / (game + ".safetensors");
  save_net(new_net(shipped(game), parse_net_config("2x32"), 7), file);
  return file;
}

}  // namespace

TEST_CASE("'selfplay --model latest' and 'trainer --replay games.db' work as they stand") {
  if (skipped_without_torch()) return;
  const Scratch folder;
  const std::string database = folder / "games.db";
  {
    Program trainer("trainer", {"--replay", "games.db", "--game", "tictactoe"}, folder.path(),
                    "t0");
    REQUIRE(eventually([&] { return served(database); }));
    CHECK(trainer.end(SIGTERM) == 0);
  }
  Program trainer("trainer", {"--replay", "games.db"}, folder.path(), "trainer.log");
  REQUIRE(eventually([&] { return served(database); }));
  Program player("selfplay", {"--model", "latest"}, folder.path(), "selfplay.log");
  CHECK_MESSAGE(eventually([&] { return player.says("plays with a new model"); }), player.said(),
                trainer.said());
  const std::uint64_t head = Reader(database).head();
  CHECK(eventually([&] { return Reader(database).head() > head; }));
  const auto status = [&] { return tabula_program("status " + database).output; };
  CHECK_MESSAGE(eventually([&] { return contains(status(), "self-play  1 worker"); }), status());
  CHECK_MESSAGE(eventually([&] { return contains(status(), "trainer    step "); }), status());
  CHECK(contains(tabula_program("doctor " + database).output, "The limit is "));
  CHECK_MESSAGE(player.end(SIGTERM) == 0, player.said());
  CHECK_MESSAGE(trainer.end(SIGTERM) == 0, trainer.said());
  CHECK_MESSAGE(contains(status(), "limit      nobody works on it"), status());
  CHECK(contains(status(), "champion   none yet"));
  CHECK(Reader(database).check().empty());
  CHECK(std::filesystem::exists(folder / "training/checkpoint.safetensors"));
  const auto models = Reader(database).models();
  REQUIRE(!models.empty());

  {  // The trainer goes on from where it was.
    Program again("trainer", {"--replay", "games.db"}, folder.path(), "again.log");
    CHECK(eventually([&] { return again.says("goes on from its checkpoint"); }));
    CHECK(again.end(SIGTERM) == 0);
  }
  {  // A worker plays with the model that is named.
    Program store("replay", {"--db", "games.db"}, folder.path(), "store.log");
    REQUIRE(eventually([&] { return served(database); }));
    const std::string id = models.front().id;
    const Ran named = run("HOME=" + folder.path() + " " TABULA_BUILD "/bin/selfplay --replay " +
                          database + " --games 30 --worker-id named --model " + id);
    CHECK_MESSAGE(named.status == 0, named.output);
    CHECK_MESSAGE(contains(named.output, "plays with a new model"), named.output);
    bool used = false;
    for (const auto& origin : Reader(database).origins())
      used = used || (origin.worker == "named" &&
                      std::ranges::find(origin.models, id) != origin.models.end());
    CHECK(used);
    const Ran unknown = selfplay("--replay " + database + " --model " + std::string(64, '0'));
    CHECK(unknown.status == 1);
    CHECK_MESSAGE(contains(unknown.output, "there is no model"), unknown.output);
  }
  {  // Another game's player is turned away.
    Program store("replay", {"--db", "games.db"}, folder.path(), "store.log");
    REQUIRE(eventually([&] { return served(database); }));
    const Ran other = selfplay("--game connect4 --replay " + database);
    CHECK(other.status == 1);
    CHECK(other.output == "selfplay: the store holds games of tictactoe, not of connect4.\n");
    Program arena("arena", {"--replay", "games.db"}, folder.path(), "arena.log");
    CHECK_MESSAGE(eventually([&] { return arena.says("gate=sprt"); }), arena.said());
  }
  {  // A new network can be trained from all games.
    const auto args = [](const char* net) {
      return Words{"--replay", "games.db", "--net", net, "--from-start", "--steps", "20"};
    };
    Program larger("trainer", args("4x32"), folder.path(), "larger.log");
    CHECK_MESSAGE(larger.wait() == 0, larger.said());
    CHECK(larger.says("begins (game=tictactoe net=4x32"));
    CHECK(std::filesystem::exists(folder / "training/checkpoint.before.safetensors"));
    CHECK(std::filesystem::file_size(folder / "training/progress.before.csv") > 0);
    CHECK(Reader(database).models().size() > models.size());
    // Started again by whoever watches over it, it goes on; another network begins anew.
    Program restarted("trainer", args("4x32"), folder.path(), "restarted.log");
    CHECK_MESSAGE(restarted.wait() == 0, restarted.said());
    CHECK(restarted.says("goes on from its checkpoint (game=tictactoe net=4x32 step=20)"));
    const std::string second = folder / "training/checkpoint.before-2.safetensors";
    CHECK(!std::filesystem::exists(second));
    Program other("trainer", args("3x32"), folder.path(), "other.log");
    CHECK_MESSAGE(other.wait() == 0, other.said());
    CHECK(other.says("begins (game=tictactoe net=3x32"));
    CHECK(std::filesystem::exists(second));
  }
}

TEST_CASE("a trainer that died before the store had its first model publishes it when it is back") {
  if (skipped_without_torch()) return;
  const Scratch folder;
  const Words args = {"--replay", "games.db", "--game", "tictactoe", "--publish-steps", "1000000"};
  const std::string database = folder / "games.db";
  {
    Program trainer("trainer", args, folder.path(), "first.log",
                    {{"TABULA_DIE_AT", "trainer.checkpoint:1"}});
    REQUIRE(eventually([&] { return served(database); }));
    Program player("selfplay", {"--replay", database, "--outbox", "outbox"}, folder.path(), "p");
    CHECK_MESSAGE(trainer.wait() == 128 + SIGKILL, trainer.said());
  }
  CHECK(std::filesystem::exists(folder / "training/checkpoint.safetensors"));
  CHECK(Reader(database).models().empty());
  // Self-play waits for it, and makes no games that would lead to another.
  Program trainer("trainer", args, folder.path(), "second.log");
  CHECK_MESSAGE(eventually([&] { return !Reader(database).models().empty(); }), trainer.said());
  CHECK_MESSAGE(trainer.end(SIGTERM) == 0, trainer.said());
}

TEST_CASE("a training from the start of an empty store goes on when it is started again") {
  if (skipped_without_torch()) return;
  const Scratch folder;
  const Words args = {"--replay", "games.db", "--game", "tictactoe", "--from-start"};
  {
    Program trainer("trainer", args, folder.path(), "first.log");
    REQUIRE(eventually([&] { return served(folder / "games.db"); }));
    Program player("selfplay", {"--replay", folder / "games.db", "--outbox", "outbox"},
                   folder.path(), "p.log");
    CHECK(eventually(
        [&] { return std::filesystem::exists(folder / "training/checkpoint.safetensors"); }));
    CHECK(player.end(SIGTERM) == 0);
    CHECK_MESSAGE(trainer.end(SIGTERM) == 0, trainer.said());
  }
  Program again("trainer", args, folder.path(), "again.log");
  CHECK_MESSAGE(eventually([&] { return again.says("goes on from its checkpoint"); }),
                again.said());
  CHECK(again.end(SIGTERM) == 0);
}

TEST_CASE("a loss that is no number ends a training in one sentence, and spoils nothing") {
  if (skipped_without_torch()) return;
  const Scratch folder;
  const std::string address = "ipc://" + (folder / "s"),
                    checkpoint = folder / "training/checkpoint.safetensors";
  const auto steps = [&] {
    return std::stoull(read_tensor_file(checkpoint).metadata.at("learner.steps"));
  };
  const Words sound = {"--replay", address, "--run", "training", "--publish-steps", "20"};
  Program store("replay", {"--db", "games.db", "--game", "tictactoe", "--listen", address},
                folder.path(), "store.log");
  Program player("selfplay", {"--replay", address, "--outbox", "outbox"}, folder.path(), "p.log");
  {
    Program trainer("trainer", sound, folder.path(), "sound.log");
    REQUIRE(eventually([&] { return std::filesystem::exists(checkpoint); }));
    CHECK(trainer.end(SIGTERM) == 0);
  }
  const std::uint64_t before = steps();
  Words wild = sound;
  for (const char* word : {"--learning-rate", "100", "--warm-up", "0", "--optimizer", "sgd",
                           "--clip", "0", "--policy-weight", "1000", "--publish-steps", "1000"})
    wild.push_back(word);
  wild.erase(wild.begin() + 4, wild.begin() + 6);  // once is enough
  Program trainer("trainer", wild, folder.path(), "wild.log");
  REQUIRE_MESSAGE(eventually([&] { return trainer.says("again and again"); }), trainer.said());
  CHECK(trainer.wait() == 1);
  CHECK_MESSAGE(trainer.says("the loss is not a number: back to the last checkpoint"),
                trainer.said());
  CHECK_MESSAGE(trainer.says("again and again; try a smaller --learning-rate."), trainer.said());
  CHECK(steps() == before);
  Program again("trainer", sound, folder.path(), "again.log");
  CHECK_MESSAGE(eventually([&] { return steps() > before; }), again.said());
  CHECK(again.end(SIGTERM) == 0);
  CHECK(player.end(SIGTERM) == 0);
  CHECK(store.end(SIGTERM) == 0);
}

TEST_CASE("games of self-play follow from seed, worker and number, whatever threads and batches") {
  const Scratch folder;
  const std::string common = "--game connect4 --simulations 24 --cheap-simulations 8 --model " +
                             model_for("connect4", folder) + " --games 100 --worker-id w ";
  const auto play = [&](const std::string& name, const std::string& more) {
    const Ran ran = selfplay(common + "--out " + (folder / name) + " " + more);
    REQUIRE_MESSAGE(ran.status == 0, ran.output);
    return games_in(folder / name);
  };
  const auto games = play("one", "--seed 5 --threads 1 --games-per-thread 1");
  CHECK(games.size() == 100);
  CHECK(games == play("two", "--seed 5 --threads 2 --games-per-thread 16"));
  CHECK(games == play("three", "--seed 5 --threads 3 --games-per-thread 7 --cache 0"));
  CHECK(games != play("four", "--seed 6 --threads 1"));
  if (!torch_installed()) return;
  const std::string torch = "--seed 5 --threads 2 --games-per-thread 8 --engine torch --in-flight ";
  CHECK(play("five", torch + "1") == play("six", torch + "2"));
}

TEST_CASE("two workers with one configuration, and one restarted, never play the same game") {
  const Scratch folder;
  std::multiset<std::string> all;
  for (const char* name : {"first", "second", "restarted"}) {
    const Ran ran = selfplay(
        "--game connect4 --simulations 8 --full-share 1 --model random "
        "--games 20 --threads 1 --seed 5 --out " +
        (folder / name));
    REQUIRE_MESSAGE(ran.status == 0, ran.output);
    for (std::string line : games_in(folder / name)) {
      const std::size_t worker = line.find("\"worker\":\"");
      all.insert(line.erase(worker, line.find('"', worker + 10) - worker));
    }
  }
  CHECK(all.size() == 60);
  CHECK(std::set(all.begin(), all.end()).size() == 60);
}

TEST_CASE("what selfplay and trainer cannot use is said in one line") {
  const Scratch folder;
  const auto refuses = [&](const std::string& command, const std::string& sentence) {
    const Ran ran = run("cd " + folder.path() + " && " TABULA_BUILD "/bin/" + command);
    CHECK(ran.status == 1);
    CHECK_MESSAGE(contains(ran.output, sentence), ran.output);
    CHECK(std::ranges::count(ran.output, '\n') == 1);
  };
  refuses("selfplay --model nothing", "there is no such file");
  refuses("selfplay --simulations 0", "--simulations takes 1 to");
  refuses("selfplay --simulatoins 5", "Did you mean --simulations?");
  refuses("selfplay --out games.jsonl --model random", "whose games? --game NAME");
  refuses("selfplay --out games.jsonl --game connect4", "--out needs a --model");
  refuses("selfplay --replay games.db", "nobody serves this database");
  refuses("selfplay --out games.jsonl --game connect4 --model " + model_for("tictactoe", folder),
          "connect4");
  if (!torch_installed()) return;
  refuses("tabula train tictactoe --rollout-positions 10",
          "--rollout-positions (10) must be at least --first-positions");
  refuses("tabula train tictactoe --games 5", "--games is for --lockstep.");
  refuses("tabula train tictactoe --lockstep --workers 3", "means nothing with --lockstep.");
  refuses("tabula train tictactoe --rounds -1", "--rounds takes no negative number.");
  refuses("trainer", "which games?");
  refuses("trainer --replay games.db", "there is no such database");
  refuses("trainer --replay games.db --net 3x33", "multiple of 32");
}

TEST_CASE("in lockstep the same seed gives the same weights, also after kill -9") {
  if (skipped_without_torch()) return;
  const Scratch folder;
  const auto args = [](const std::string& run, const char* rounds = "20",
                       const char* games = "24") {
    return Words{"train", "tictactoe",         "--lockstep", "--rounds",      rounds, "--run",
                 run,     "--games",           games,        "--seed",        "3",    "--net",
                 "2x32",  "--first-positions", "150",        "--simulations", "16",   "--threads",
                 "2",     "--warm-up",         "5"};
  };
  const auto last_line = [](const Program& program) {
    const std::string text = program.said();
    return text.substr(text.rfind("model ", text.size() - 2));
  };
  Program whole("tabula", args("whole"), folder.path(), "whole.log");
  CHECK(whole.wait() == 0);
  const std::string model = last_line(whole);
  CHECK(model.size() == 6 + 64 + 1);
  for (int kills = 1; kills <= 4; ++kills) {
    Program killed("tabula", args("killed"), folder.path(), "killed.log");
    const std::string round = "round " + std::to_string(2 * kills - 1) + " ";
    REQUIRE(eventually([&] { return killed.says(round); }));
    if (kills == 1) {  // it has the database, and no address
      const Ran status = tabula_program("status " + (folder / "killed"));
      CHECK_MESSAGE(status.status == 0, status.output);
      CHECK_MESSAGE(contains(status.output, "a process has it that answers nobody"), status.output);
    }
    CHECK(killed.end(SIGKILL) == 128 + SIGKILL);
    // Between a round's games and its steps, in the first round of a start.
    Program between("tabula", args("killed"), folder.path(), "killed.log",
                    {{"TABULA_DIE_AT", "lockstep.stored:1"}});
    CHECK(between.wait() == 128 + SIGKILL);
  }
  Program killed("tabula", args("killed"), folder.path(), "last.log");
  CHECK(killed.wait() == 0);
  CHECK(last_line(killed) == model);
  // With other rounds no game is played again under its old name.
  Program longer("tabula", args("whole", "12", "48"), folder.path(), "longer.log");
  CHECK(longer.wait() == 0);
  CHECK(Reader(folder / "whole/games.db").totals().seen_games == 12 * 48);
  CHECK(last_line(longer) != model);
  Program few("tabula", args("few", "1", "4"), folder.path(), "few.log");
  CHECK(few.wait() == 0);
  CHECK_MESSAGE(few.says("steps 0  waits for the first games: "), few.said());
}
