#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/digest.h"
#include "core/base/files.h"
#include "core/store/model_files.h"
#include "core/store/ownership.h"
#include "tests/run.h"
#include "tests/scratch.h"
#include "tests/stored_games.h"
#include "tests/stores.h"
#include "tests/support.h"

using namespace tabula;

namespace {

Arrival arrival_of(const StoredGame& game) {
  return {.id = game.id,
          .bytes = encode_game(game),
          .account = "local",
          .worker = game.worker,
          .models = game.models,
          .positions = 10};
}

// A database of connect4 with some games of self-play and a model.
void make_database(const std::string& path, int games) {
  const Rules& rules = shipped("connect4");
  Store store(path, Identity{rules.name(), rules.fingerprints().rules, "connect4"});
  std::vector<Arrival> all;
  for (const StoredGame& game : played_games(rules, games)) all.push_back(arrival_of(game));
  all.push_back({.kind = Arrival::Kind::refused,
                 .bytes = "garbage",
                 .account = "local",
                 .worker = "node-9",
                 .reason = "it is not a game"});
  store.add(all);
  const std::string bytes = "a model", id = hex(digest_of(bytes));
  ModelFiles files(path);
  files.receive(id, 0, bytes);
  files.complete(id);
  store.add_model({.id = id, .bytes = bytes.size()});
  store.move_champion(0, id, 0);
}

std::vector<nlohmann::json> lines_of(const std::string& text) {
  std::vector<nlohmann::json> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(nlohmann::json::parse(line));
  return lines;
}

Ran db(const std::string& arguments) { return tabula_program("db " + arguments); }

void check_refusal(const std::string& arguments, const std::string& part) {
  const Ran ran = db(arguments);
  CAPTURE(arguments);
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(contains(ran.output, part));
  CHECK(std::ranges::count(ran.output, '\n') == 1);
}

}  // namespace

TEST_CASE("db has help for every word and names the nearest one") {
  for (const std::string word : {"check", "stats", "export", "import", "backup", "drop"}) {
    const Ran ran = db(word + " --help");
    CHECK(ran.status == 0);
    CHECK(contains(ran.output, "usage: tabula db " + word));
  }
  CHECK(contains(db("").output, "usage: tabula db"));
  check_refusal("chekc x", "there is no 'tabula db chekc'. Did you mean check?");
  check_refusal("check", "PATH is missing");
  for (const char* word : {"check", "stats", "export", "drop --worker x"})
    check_refusal(word + std::string(" /nowhere/games.db"), "there is no such file");
}

TEST_CASE("db check finds a sound database sound, and a fault in games and models") {
  const Scratch folder;
  const std::string path = folder / "games.db";
  make_database(path, 20);
  const Ran sound = db("check " + path);
  CHECK(sound.status == 0);
  CHECK(contains(sound.output, "is sound: 20 games, 1 models."));
  std::string bytes = read_file(path, 1 << 24);
  const std::string game = arrival_of(played_games(shipped("connect4"), 1)[0]).bytes;
  int copies = 0;  // pages keep what was moved elsewhere
  for (std::size_t at = 0; (at = bytes.find(game.substr(40, 20), at)) != bytes.npos; ++copies)
    bytes[at + 5] = char(bytes[at + 5] ^ 4);
  REQUIRE(copies > 0);
  std::filesystem::remove(path + "-wal");
  std::filesystem::remove(path + "-shm");
  std::ofstream(path, std::ios::trunc) << bytes;
  const Ran hurt = db("check " + path);
  CHECK(hurt.status == 1);
  CHECK(contains(hurt.output, "A row of the table log is damaged: number 1."));
  const Ran exported = db("export " + path);
  CHECK(exported.status == 1);
  CHECK(contains(exported.output, " damaged games were left out"));
  const std::string id = hex(digest_of("a model"));
  write_file_atomically(ModelFiles(path).path(id), "b model");
  CHECK(contains(db("check " + path).output, id + ".safetensors: the file is damaged"));
  std::ofstream(path, std::ios::trunc) << std::string(5000, 'x');
  CHECK(db("check " + path).status == 1);
}

TEST_CASE("db stats shows what there is, who made it, and what was refused") {
  const Scratch folder;
  const std::string path = folder / "games.db";
  make_database(path, 5);
  const Ran ran = db("stats " + path);
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(contains(ran.output, "game              connect4\n"));
  CHECK(contains(ran.output, "games             5 now, 5 ever"));
  CHECK(contains(ran.output, "local           node-17/3                        5  uniform"));
  CHECK(
      contains(ran.output, "local           node-9                           1  it is not a game"));
  CHECK(contains(ran.output, "in use            by nobody"));
  const auto stats = nlohmann::json::parse(db("stats --json " + path).output);
  CHECK(stats["totals"]["games"] == 5);
  CHECK(stats["champion"]["version"] == 1);
  CHECK(stats["origins"].size() == 2);
  CHECK(stats["quarantine"][0]["reason"] == "it is not a game");
  const Ownership mine(path);
  CHECK(contains(db("stats " + path).output, "in use            by process"));
}

TEST_CASE("games that were exported are imported by their moves, each once") {
  const Scratch folder;
  const std::string path = folder / "games.db", lines = folder / "games.jsonl",
                    other = folder / "other.db";
  make_database(path, 12);
  CHECK(db("export " + path + " --out " + lines).output.empty());
  const auto games = lines_of(read_file(lines, 1 << 24));
  REQUIRE(games.size() == 12);
  CHECK(games[0]["game"] == "connect4");
  CHECK(games[0]["moves"][0].is_string());
  CHECK_FALSE(games[0].contains("policies"));
  const auto full = lines_of(db("export --policies " + path).output);
  CHECK(full[0]["policies"].size() == full[0]["moves"].size());
  CHECK(full[0]["values"].size() == full[0]["moves"].size());

  check_refusal("import " + other + " " + lines, "say which game with --game");
  const Ran import = db("import --game connect4 " + other + " " + lines);
  CAPTURE(import.output);
  CHECK(import.status == 0);
  CHECK(contains(import.output, "12 games stored, 0 known before, 0 refused."));
  CHECK(contains(db("import " + other + " - < " + lines).output, "0 games stored, 12 known"));
  const auto again = lines_of(db("export " + other).output);
  REQUIRE(again.size() == 12);
  for (std::size_t i = 0; i < again.size(); ++i) {
    CHECK(again[i]["result"] == games[i]["result"]);
    CHECK(again[i]["ending"] == games[i]["ending"]);
    CHECK(again[i]["models"][0] == "foreign");
    if (games[i]["ending"] == "by_rules") CHECK(again[i]["moves"] == games[i]["moves"]);
  }
  CHECK(db("check " + other).status == 0);
}

TEST_CASE("foreign games that are no games are refused, line by line") {
  const Scratch folder;
  const std::string path = folder / "games.db", lines = folder / "games.jsonl";
  write_file_atomically(lines,
                        "{\"moves\":[\"1\",\"2\",\"1\",\"2\",\"1\",\"2\",\"1\"],\"result\":1}\n"
                        "{\"moves\":[\"1\",\"2\",\"1\",\"2\",\"1\",\"2\",\"1\"],\"result\":-1}\n"
                        "{\"moves\":[\"9\"],\"result\":1}\n"
                        "\n"
                        "{\"moves\":[3,3],\"result\":-1}\n"
                        "{\"moves\":[3,3],\"result\":0}\n"
                        "nonsense\n");
  const Ran ran = db("import --game connect4 " + path + " " + lines);
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(contains(ran.output, "2 games stored, 0 known before, 4 refused."));
  CHECK(contains(ran.output, "line 2: its result is -1, but should be 1.\n"));
  CHECK(contains(ran.output, "line 3: ply 1 plays '9', which is not legal there.\n"));
  CHECK(contains(ran.output, "line 6: it goes on after its last move, and nobody lost.\n"));
  CHECK(contains(ran.output, "line 7: it is not an object of JSON"));
}

TEST_CASE("a backup holds the games and the models, and replaces nothing") {
  const Scratch folder;
  const std::string path = folder / "games.db", copy = folder / "copy.db";
  make_database(path, 5);
  const Ran ran = db("backup " + path + " " + copy);
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(contains(ran.output, "5 games, 1 models."));
  CHECK(contains(db("check " + copy).output, "is sound: 5 games, 1 models."));
  CHECK(db("export " + copy).output == db("export " + path).output);
  check_refusal("backup " + path + " " + copy, "replaces nothing");
}

TEST_CASE("drop needs a condition, and a database that is free or whose owner answers") {
  const Scratch folder;
  const std::string path = folder / "games.db";
  make_database(path, 5);
  check_refusal("drop " + path, "say which games to drop");
  check_refusal("drop --since yesterday " + path, "--since must be a time such as");
  check_refusal("drop --since 2026-13-01 " + path, "--since must be a time such as");
  {
    const Ownership mine(path);  // says no address
    check_refusal("drop --model uniform " + path, "it is in use by process");
  }
  CHECK(contains(db("drop --until 2020-01-01 " + path).output, "0 games"));
  CHECK(contains(db("drop --since 2020-01-01T08:30 --model uniform --reason bad " + path).output,
                 "5 games are in quarantine now."));
  CHECK(contains(db("stats " + path).output, "dropped by hand: bad"));
  CHECK(db("export " + path).output.empty());
  CHECK(db("check " + path).status == 0);
}
