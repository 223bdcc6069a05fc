// Models, the champion, matches, and the files of models.
#include <doctest/doctest.h>

#include <thread>

#include "core/base/digest.h"
#include "core/base/files.h"
#include "core/store/model_files.h"
#include "tests/scratch.h"
#include "tests/stores.h"

using namespace tabula;

namespace {

std::string model_id(const std::string& bytes) { return hex(digest_of(bytes)); }

void check_refused(const std::string& id) {
  const Scratch folder;
  ModelFiles files(folder / "games.db");
  CAPTURE(id);
  CHECK_THROWS_AS(files.path(id), Error);
  CHECK_THROWS_AS(files.has(id), Error);
  CHECK_THROWS_AS(files.receive(id, 0, "bytes"), Error);
  CHECK_THROWS_AS(files.complete(id), Error);
  CHECK_THROWS_AS(files.piece(id, 0, 9), Error);
}

}  // namespace

TEST_CASE("models are numbered in order of publication, each once") {
  const Scratch folder;
  Store store(folder / "games.db", kToy);
  const ModelRow first{.id = model_id("1"),
                       .bytes = 17,
                       .step = 1000,
                       .parent = "",
                       .account = "trainer",
                       .signature = std::string(64, '\0'),
                       .made = 1234567};
  CHECK(store.add_model(first));
  CHECK_FALSE(store.add_model(first));
  CHECK(store.add_model({.id = model_id("2"), .parent = first.id}));
  const Reader reader(folder / "games.db");
  REQUIRE(reader.models().size() == 2);
  CHECK(reader.models()[0].number == 1);
  CHECK(reader.models()[0].step == 1000);
  CHECK(reader.models()[0].signature == first.signature);
  CHECK(reader.models(1).size() == 1);
  CHECK(reader.model(model_id("2"))->parent == first.id);
  CHECK_FALSE(reader.model(model_id("3")));
  CHECK(reader.check().empty());
}

TEST_CASE("the champion moves only from the version that was seen, to a model that is there") {
  const Scratch folder;
  Store store(folder / "games.db", kToy);
  const Reader reader(folder / "games.db");
  const std::string a = model_id("a"), b = model_id("b");
  CHECK(reader.champion().version == 0);
  CHECK_THROWS_AS(store.move_champion(0, a, 0), Error);
  store.add_model({.id = a});
  store.add_model({.id = b});
  CHECK(store.move_champion(0, a, 0));
  CHECK_FALSE(store.move_champion(0, b, 0));
  CHECK(reader.champion().model == a);
  CHECK(reader.champion().version == 1);
  CHECK_THROWS_AS(store.move_champion(1, b, 5), Error);  // there was no such match
  const std::uint64_t match = store.open_match({.candidate = b, .champion = a, .slots = 1});
  CHECK_THROWS_AS(store.move_champion(1, b, match), Error);  // it is not decided
  CHECK(store.decide_match(match, "better", false));
  CHECK_THROWS_AS(store.move_champion(1, a, match), Error);  // it was about another one
  CHECK(store.move_champion(1, b, match));
  CHECK(reader.champion().match == match);
  CHECK(reader.check().empty());
}

TEST_CASE("each slot of a match is played by one at a time and reported once") {
  const Scratch folder;
  Store store(folder / "games.db", kToy);
  const Reader reader(folder / "games.db");
  const std::uint64_t match =
      store.open_match({.candidate = "c", .champion = "d", .slots = 3, .settings = "visits = 9"});
  CHECK(store.lend_slot(match, "x", 100, 200) == 0u);
  CHECK(store.lend_slot(match, "x", 100, 300) == 1u);
  CHECK(store.report_slot(match, 0, "win", "x"));
  CHECK_FALSE(store.report_slot(match, 0, "loss", "y"));
  CHECK(store.lend_slot(match, "y", 250, 400) == 2u);
  CHECK_FALSE(store.lend_slot(match, "z", 299, 400));
  CHECK(store.lend_slot(match, "z", 300, 500) == 1u);  // whoever had it came too late
  CHECK(store.report_slot(match, 1, "draw", "x"));     // unless it comes first after all
  CHECK_FALSE(store.report_slot(match, 1, "win", "z"));
  CHECK_THROWS_AS(store.report_slot(match, 3, "win", "z"), Error);
  CHECK_THROWS_AS(store.report_slot(99, 0, "win", "z"), Error);
  const auto reported = reader.reported(match);
  REQUIRE(reported.size() == 2);
  CHECK(reported[0].result == "win");
  CHECK(reported[1].account == "x");
  CHECK(store.decide_match(match, "no stronger", false));
  CHECK_FALSE(store.decide_match(match, "stronger", true));
  CHECK_FALSE(store.lend_slot(match, "z", 1000, 1100));
  CHECK(reader.match(match)->verdict == "no stronger");
  CHECK(reader.match(match)->settings == "visits = 9");
  CHECK_FALSE(reader.match(match)->open);
  CHECK(reader.matches().size() == 1);
  CHECK(reader.check().empty());
}

TEST_CASE("a match promotes only over the champion that it was played against") {
  const Scratch folder;
  Store store(folder / "games.db", kToy);
  const Reader reader(folder / "games.db");
  const std::string ids[] = {model_id("a"), model_id("b"), model_id("c")};
  for (const std::string& id : ids) store.add_model({.id = id});
  store.move_champion(0, ids[0], 0);
  const auto b = store.open_match({.candidate = ids[1], .champion = ids[0], .slots = 1});
  const auto c = store.open_match({.candidate = ids[2], .champion = ids[0], .slots = 1});
  CHECK(store.decide_match(c, "stronger", true));
  CHECK(reader.champion().model == ids[2]);
  CHECK(reader.champion().match == c);
  CHECK(reader.champion().version == 2);
  CHECK_FALSE(store.decide_match(b, "stronger", true));
  CHECK(reader.match(b)->open);
  CHECK(reader.champion().model == ids[2]);
  CHECK(store.decide_match(b, "too late", false));
}

TEST_CASE("a model that comes in pieces gets its name when it is whole") {
  const Scratch folder;
  ModelFiles files(folder / "games.db");
  const std::string bytes = any_bytes(3, 100000), id = model_id(bytes);
  CHECK(files.received(id) == 0);
  CHECK(files.receive(id, 0, bytes.substr(0, 60000)) == 60000);
  CHECK(files.receive(id, 0, bytes.substr(0, 60000)) == 60000);   // another sender
  CHECK(files.receive(id, 70000, bytes.substr(70000)) == 60000);  // not yet
  CHECK_FALSE(files.has(id));
  CHECK(ModelFiles(folder / "games.db").received(id) == 0);  // after a crash: from the beginning
  CHECK(files.receive(id, 60000, bytes.substr(60000)) == 100000);
  files.complete(id);
  CHECK(files.has(id));
  CHECK(read_file(files.path(id), 1 << 20) == bytes);
  CHECK(files.piece(id, 99000, 5000) == bytes.substr(99000));
  CHECK(files.piece(id, 500, 10) == bytes.substr(500, 10));
  CHECK(files.piece(id, 200000, 10).empty());
  files.complete(id);  // whoever comes second has nothing left to do
  CHECK(std::distance(std::filesystem::directory_iterator(folder / "games.db.models"), {}) == 1);
}

TEST_CASE("a model whose bytes are not those its name says is neither taken nor given") {
  const Scratch folder;
  ModelFiles files(folder / "games.db");
  const std::string bytes = any_bytes(3, 1000), id = model_id(bytes);
  std::string other = bytes;
  other[500] = char(other[500] ^ 1);
  files.receive(id, 0, other);
  CHECK_THROWS_WITH_AS(files.complete(id),
                       ("what came as the model " + id + " has another digest.").c_str(), Error);
  CHECK(files.received(id) == 0);
  CHECK_FALSE(files.has(id));
  files.receive(id, 0, bytes);
  files.complete(id);
  files.verify(id);
  write_file_atomically(files.path(id), other);
  CHECK_THROWS_AS(files.verify(id), Error);
  CHECK_THROWS_AS(ModelFiles(folder / "games.db").piece(id, 0, 10), Error);
}

TEST_CASE("what a crash left of a model is cleared when the next one comes") {
  const Scratch folder;
  const std::string id = model_id("left"), next = model_id("next");
  ModelFiles(folder / "games.db").receive(id, 0, "le");
  ModelFiles files(folder / "games.db");
  files.receive(next, 0, "ne");
  files.receive(id, 0, "left");
  files.receive(next, 2, "xt");
  files.complete(next);
  files.complete(id);
  CHECK(files.has(id));
  CHECK(files.has(next));
}

TEST_CASE("a model's id is a digest and never leads out of the folder") {
  for (const std::string id : {"", "..", "../../etc/passwd", "latest", "/etc/passwd", "ABCDEF"})
    check_refused(id);
  check_refused(std::string(63, 'a'));
  check_refused(std::string(64, 'A'));
  check_refused("../" + std::string(61, 'a'));
  check_refused(std::string(64, 'a') + std::string(1, '\0'));
}

TEST_CASE("models come from several senders while another is completed") {
  const Scratch folder;
  ModelFiles files(folder / "games.db");
  constexpr std::uint64_t kModels = 20;
  const auto send = [&](std::uint64_t number) {
    const std::string bytes = any_bytes(number, 50000), id = model_id(bytes);
    while (!files.has(id) && files.received(id) < bytes.size()) {
      const std::uint64_t at = files.received(id);
      files.receive(id, at, std::string_view(bytes).substr(std::min<std::size_t>(at, 50000), 5000));
    }
  };
  std::vector<std::thread> senders;
  for (int sender = 0; sender < 2; ++sender)
    senders.emplace_back([&] {
      for (std::uint64_t number = 0; number < kModels; ++number) send(number);
    });
  std::uint64_t done = 0;
  for (std::uint64_t number = 0; number < kModels; ++number) {
    const std::string bytes = any_bytes(number, 50000), id = model_id(bytes);
    while (files.received(id) < bytes.size()) std::this_thread::yield();
    files.complete(id);
    done += files.piece(id, 0, 60000) == bytes;
  }
  for (std::thread& sender : senders) sender.join();
  CHECK(done == kModels);
}
