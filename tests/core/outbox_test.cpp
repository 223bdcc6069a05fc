#include "core/wire/outbox.h"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/rng.h"
#include "tests/child.h"
#include "tests/run.h"
#include "tests/scratch.h"

using namespace tabula;
namespace fs = std::filesystem;

namespace {

OutboxGame game(std::uint8_t number, std::size_t size = 100) {
  OutboxGame made;
  made.id[0] = number;
  made.bytes.assign(size, char('a' + number % 26));
  return made;
}

constexpr std::uint64_t kRoom = 1 << 20;

std::size_t files_in(const fs::path& folder, const std::string& extension) {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(folder))
    count += entry.path().extension() == extension;
  return count;
}

void flip(const fs::path& file, std::size_t at) {
  std::string bytes = read_file(file, 1 << 24);
  bytes[at] = char(bytes[at] ^ 1);
  std::ofstream(file, std::ios::binary) << bytes;
}

}  // namespace

TEST_CASE("games wait in an outbox, in order, until they are removed") {
  const Scratch scratch;
  Outbox outbox(scratch / "out", kRoom);
  outbox.add(std::vector{game(3), game(1)});
  outbox.add(std::vector{game(2)});
  CHECK(outbox.waiting() == std::vector{game(3).id, game(1).id, game(2).id});
  CHECK(*outbox.find(game(1).id) == game(1).bytes);
  CHECK(outbox.remove(game(1).id));
  CHECK_FALSE(outbox.remove(game(1).id));
  CHECK(outbox.find(game(1).id) == nullptr);
  CHECK(outbox.games() == 2);
  CHECK(outbox.bytes() == 200);
}

TEST_CASE("what was not acknowledged is there again for the next owner") {
  const Scratch scratch;
  {
    Outbox outbox(scratch / "out", kRoom);
    outbox.add(std::vector{game(1), game(2)});
    outbox.remove(game(1).id);
  }
  {
    Outbox outbox(scratch / "out", kRoom);  // what was acknowledged may come back: ids tell
    CHECK(*outbox.find(game(2).id) == game(2).bytes);
    outbox.add(std::vector{game(3)});
  }
  Outbox outbox(scratch / "out", kRoom);
  CHECK(outbox.find(game(2).id) != nullptr);
  CHECK(outbox.find(game(3).id) != nullptr);
  CHECK(outbox.damaged() == 0);
  for (const GameId& id : outbox.waiting()) outbox.remove(id);
  CHECK(files_in(scratch / "out", ".games") <= 1);
}

TEST_CASE("an outbox has one owner") {
  const Scratch scratch;
  Outbox outbox(scratch / "out", kRoom);
  const std::string second = in_child([&] {
    Outbox other(scratch / "out", kRoom);
    return std::string("taken twice");
  });
  CHECK(contains(second, "another process keeps its games there"));
}

TEST_CASE("it is full when its bytes are used up, and not any more when games leave") {
  const Scratch scratch;
  Outbox outbox(scratch / "out", 250);
  outbox.add(std::vector{game(1), game(2)});
  CHECK_FALSE(outbox.full());
  outbox.add(std::vector{game(3)});
  CHECK(outbox.full());
  outbox.remove(game(1).id);
  CHECK_FALSE(outbox.full());
}

TEST_CASE("half a record at the end is forgotten; it was never said to be safe") {
  for (std::size_t cut = 5; cut < 132; cut += 9) {  // the end mark has 4 bytes, the game 128
    const Scratch scratch;
    {
      Outbox outbox(scratch / "out", kRoom);
      outbox.add(std::vector{game(1)});
      outbox.add(std::vector{game(2)});
    }
    const fs::path file = scratch / "out/1.games";
    fs::resize_file(file, fs::file_size(file) - cut);
    {
      Outbox outbox(scratch / "out", kRoom);
      CHECK(outbox.waiting() == std::vector{game(1).id});
      outbox.add(std::vector{game(2)});  // goes into a new segment
    }
    const Outbox outbox(scratch / "out", kRoom);
    CHECK(outbox.waiting() == std::vector{game(1).id, game(2).id});
    CHECK(outbox.damaged() == 0);  // also now that others follow it
  }
}

TEST_CASE("bytes that changed in the middle are set aside and said, not lost in silence") {
  const Scratch scratch;
  {
    Outbox outbox(scratch / "out", kRoom);
    outbox.add(std::vector{game(1), game(2)});
  }
  {
    Outbox outbox(scratch / "out", kRoom);
    outbox.add(std::vector{game(3)});
  }
  flip(scratch / "out/1.games", 200);  // in the second game
  Outbox outbox(scratch / "out", kRoom);
  CHECK(outbox.damaged() == 1);
  CHECK(outbox.find(game(1).id) != nullptr);
  CHECK(outbox.find(game(2).id) == nullptr);
  CHECK(outbox.find(game(3).id) != nullptr);
  CHECK(files_in(scratch / "out", ".damaged") == 1);
}

TEST_CASE("an outbox that empties does not grow, however many games pass through it") {
  const Scratch scratch;
  Outbox outbox(scratch / "out", kRoom);
  for (int i = 0; i < 200; ++i) {
    outbox.add(std::vector{game(std::uint8_t(i), 50000)});
    outbox.remove(game(std::uint8_t(i)).id);
  }
  std::uintmax_t bytes = 0;
  for (const auto& entry : fs::directory_iterator(scratch / "out")) bytes += entry.file_size();
  CHECK(bytes < 200'000);
  CHECK(files_in(scratch / "out", ".games") == 1);
}

TEST_CASE("a disk that is full refuses games whole, and takes them when there is room") {
  const Scratch scratch;
  const std::string said = in_child([&] {
    signal(SIGXFSZ, SIG_IGN);
    Outbox outbox(scratch / "out", kRoom);
    outbox.add(std::vector{game(1, 1000)});
    const rlimit little{2000, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &little);
    std::string result;
    try {
      outbox.add(std::vector{game(2, 3000)});
    } catch (const DiskFull&) {
      result = "full ";
    }
    const rlimit much{RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &much);
    outbox.add(std::vector{game(3, 3000)});
    return result + std::to_string(outbox.games());
  });
  CHECK(said == "full 2");
  const Outbox outbox(scratch / "out", kRoom);
  CHECK(outbox.waiting() == std::vector{game(1).id, game(3).id});
  CHECK(outbox.damaged() == 0);
}

TEST_CASE("whatever is in its files, an outbox opens or says why not") {
  Rng rng(5);
  for (int i = 0; i < 300; ++i) {
    const Scratch scratch;
    {
      Outbox outbox(scratch / "out", kRoom);
      outbox.add(std::vector{game(1), game(2), game(3, 0)});
    }
    const fs::path file = scratch / "out/1.games";
    std::string bytes = read_file(file, 1 << 20);
    for (std::uint32_t left = 1 + rng.below(4); left > 0; --left)
      bytes[rng.below(std::uint32_t(bytes.size()))] = char(rng.next());
    std::ofstream(file, std::ios::binary) << bytes;
    const Outbox outbox(scratch / "out", kRoom);
    for (const GameId& id : outbox.waiting())  // what it has is whole
      CHECK(*outbox.find(id) == game(id[0], outbox.find(id)->size()).bytes);
  }
}

TEST_CASE("an owner that ends leaves nothing that was delivered") {
  const Scratch scratch;
  const std::vector games = {game(1), game(2), game(3)};
  {
    Outbox outbox(scratch / "o", kRoom);
    outbox.add(games);
    for (const OutboxGame& each : games) CHECK(outbox.remove(each.id));
  }
  {
    Outbox again(scratch / "o", kRoom);
    CHECK(again.games() == 0);
    again.add(games);
    CHECK(again.remove(games[1].id));
  }
  CHECK(Outbox(scratch / "o", kRoom).games() >= 2);  // what was not delivered
}
