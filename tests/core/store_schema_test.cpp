#include "core/store/schema.h"

#include <doctest/doctest.h>

#include "core/base/digest.h"
#include "core/base/files.h"
#include "tests/run.h"
#include "tests/scratch.h"
#include "tests/sqlite_file.h"
#include "tests/stores.h"

using namespace tabula;

namespace {

// What opening says, as writer and as reader.
void check_refused(const std::string& path, const std::string& part) {
  CAPTURE(part);
  const auto said = [&](auto open) -> std::string {
    try {
      open();
    } catch (const Error& error) {
      return error.what();
    }
    return "(it was opened)";
  };
  const std::string writer = said([&] { Store(path, kToy); });
  const std::string reader = said([&] { Reader{path}; });
  CAPTURE(writer);
  CAPTURE(reader);
  CHECK(contains(writer, path + ": "));
  CHECK(contains(writer, part));
  CHECK(contains(reader, part));
}

void add_colour(Database& database) { database.run("ALTER TABLE model ADD COLUMN colour TEXT"); }
void add_taste(Database& database) { database.run("ALTER TABLE model ADD COLUMN taste TEXT"); }
void fail_half_way(Database& database) {
  database.run("ALTER TABLE model ADD COLUMN smell TEXT");
  database.run("ALTER TABLE nothing ADD COLUMN smell TEXT");
}

std::string version_of(const std::string& path) { return sql_result(path, "PRAGMA user_version"); }

}  // namespace

TEST_CASE("a file that is no store is refused and left alone") {
  const Scratch folder;
  const std::string text = folder / "text", other = folder / "other.db";
  write_file_atomically(text, std::string(5000, 'x'));
  check_refused(text, "it is no database");
  CHECK(read_file(text, 9999) == std::string(5000, 'x'));
  run_sql(other, "CREATE TABLE a(b); PRAGMA application_id = 5");
  const std::string before = read_file(other, 1 << 20);
  check_refused(other, "it is a database of another program");
  CHECK(read_file(other, 1 << 20) == before);
  run_sql(other, "PRAGMA application_id = 0");
  check_refused(other, "it is a database of another program");
}

TEST_CASE("a store of a newer schema is refused with a sentence") {
  const Scratch folder;
  const std::string path = folder / "games.db";
  { Store store(path, kToy); }
  run_sql(path, "PRAGMA user_version = 99");
  check_refused(path, "it was written by a newer Tabula (its schema is 99, this program knows " +
                          std::to_string(migrations().size()) + "); update this program.");
}

TEST_CASE("a store belongs to one game and its rules") {
  const Scratch folder;
  const std::string path = folder / "games.db";
  CHECK_THROWS_AS(Store(path, {}), Error);
  CHECK_FALSE(std::filesystem::exists(path));
  { Store store(path, kToy); }
  CHECK_NOTHROW(Store(path, {}));
  CHECK_NOTHROW(Store(path, Identity{"toy", 7, "elsewhere/toy.so"}));
  CHECK_THROWS_WITH_AS(Store(path, Identity{"go9", 7, ""}),
                       (path + ": it holds games of toy, not of go9.").c_str(), Error);
  CHECK_THROWS_AS(Store(path, Identity{"toy", 8, ""}), Error);
  CHECK(Reader(path).identity().plugin == "toy");
  CHECK_THROWS_AS(Reader(folder / "none.db"), Error);
}

TEST_CASE("an older file is brought up to date step by step, and keeps what it held") {
  const Scratch folder;
  const std::string path = folder / "games.db";
  { Store(path, kToy).add_model({.id = std::string(64, 'a')}); }
  const Migration two[] = {migrations()[0], add_colour};
  const Migration three[] = {migrations()[0], add_colour, add_taste};
  {
    Database database(path, Database::Mode::write);
    CHECK(file_state(database, two) == FileState::older);
    prepare(database, kToy, two);
    CHECK(file_state(database, two) == FileState::current);
  }
  CHECK(version_of(path) == "2\n");
  CHECK_THROWS_AS(Reader{path}, Error);  // to this program it is a newer one
  {
    Database database(path, Database::Mode::write);
    prepare(database, {}, three);
    CHECK(database.number("SELECT count(colour IS NULL AND taste IS NULL) FROM model") == 1);
  }
  CHECK(version_of(path) == "3\n");
}

TEST_CASE("a step that fails half way changes nothing") {
  const Scratch folder;
  const std::string path = folder / "games.db";
  { Store store(path, kToy); }
  const std::string before = sql_result(path, "SELECT sql FROM sqlite_schema");
  const Migration steps[] = {migrations()[0], fail_half_way};
  {
    Database database(path, Database::Mode::write);
    CHECK_THROWS_AS(prepare(database, kToy, steps), Error);
  }
  CHECK(version_of(path) == "1\n");
  CHECK(sql_result(path, "SELECT sql FROM sqlite_schema") == before);
}

TEST_CASE("a reader does not touch an older file, and says who would") {
  const Scratch folder;
  const std::string path = folder / "games.db";
  { Store store(path, kToy); }
  run_sql(path, "PRAGMA user_version = 0");
  CHECK_THROWS_WITH_AS(Reader{path}, doctest::Contains("replay --db"), Error);
}

TEST_CASE("a process killed while it makes the file leaves one that is made by the next") {
  const Scratch folder;
  const std::string path = folder / "games.db";
  run_sql(path, "PRAGMA page_size = 4096; PRAGMA auto_vacuum = 2; PRAGMA journal_mode = WAL");
  CHECK(std::filesystem::file_size(path) > 0);
  { Store(path, kToy).add(arrivals(0, 3)); }
  CHECK(entries_in(Reader(path)).size() == 3);
}

// A file of version 1 must mean the same for ever: change the schema by a new step.
TEST_CASE("the schema of version 1 is what it was when it was released") {
  const Scratch folder;
  const std::string path = folder / "games.db";
  { Store store(path, kToy); }
  const std::string schema = sql_result(path, "SELECT sql FROM sqlite_schema ORDER BY name");
  CHECK(hex(digest_of(schema)) ==
        "7662191b9de16026678deef76fdfddfb81c7151dc8efd285df406451a8c7ea19");
  CHECK(sql_result(path, "PRAGMA auto_vacuum") == "2\n");
  CHECK(sql_result(path, "PRAGMA journal_mode") == "wal\n");
  CHECK(sql_result(path, "PRAGMA application_id") == std::to_string(kApplication) + "\n");
}
