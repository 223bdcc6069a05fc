// The loop on a bad day: a clock that jumps, a disk that is full, a store that is away.
#include <doctest/doctest.h>

#include <filesystem>

#include "core/data/safetensors.h"
#include "core/nn/torch_library.h"
#include "core/store/reader.h"
#include "tests/program.h"
#include "tests/running_server.h"
#include "tests/scratch.h"

using namespace tabula;
namespace fs = std::filesystem;

namespace {

// The store, a trainer and a worker, under trouble_shim.c.
class Loop {
 public:
  Loop() {
    const std::string address = this->address();
    store_args_ = {"--db", "games.db", "--game", "tictactoe", "--listen", address};
    start_store();
    start_trainer();
    start_worker();
    REQUIRE(eventually([&] { return fs::exists(checkpoint()); }));
    REQUIRE(goes_on());  // from a first network, not from rollouts
  }

  void start_store() { store_ = begun("replay", store_args_); }
  void start_trainer() {
    trainer_ = begun("trainer", {"--replay", address(), "--run", "training", "--report", "1",
                                 "--publish-steps", "50"});
  }
  void start_worker() {
    worker_ = begun("selfplay", {"--replay", address(), "--outbox", "outbox", "--threads", "1",
                                 "--report", "1"});
  }
  Program& store() { return *store_; }
  Program& trainer() { return *trainer_; }
  Program& worker() { return *worker_; }

  std::string address() const { return "ipc://" + (scratch_ / "s"); }
  std::string path(const std::string& name) const { return scratch_ / name; }
  void put(const std::string& name, const std::string& text) const {
    std::ofstream(scratch_ / name) << text;
  }
  void take_away(const std::string& name) const { fs::remove(scratch_ / name); }

  std::uint64_t games() const { return Reader(scratch_ / "games.db").totals().seen_games; }
  std::uint64_t steps() const {
    return std::stoull(read_tensor_file(checkpoint()).metadata.at("learner.steps"));
  }
  // Both grow from here.
  bool goes_on() const {
    const auto games_before = games(), steps_before = steps();
    return eventually([&] { return games() > games_before && steps() > steps_before; });
  }

  void check_end() {
    for (Program* program : {&*worker_, &*trainer_, &*store_})
      CHECK_MESSAGE(program->end(SIGTERM) == 0, program->said());
    const Reader reader(scratch_ / "games.db");
    CHECK(reader.check().empty());
    CHECK(reader.totals().quarantined == 0);
  }

 private:
  std::string checkpoint() const { return scratch_ / "training/checkpoint.safetensors"; }
  Program begun(const std::string& name, const std::vector<std::string>& args) const {
    return {name,
            args,
            scratch_.path(),
            name + ".log",
            {{"LD_PRELOAD", TABULA_TROUBLE_SHIM}, {"TABULA_TROUBLE", scratch_.path()}}};
  }

  Scratch scratch_;
  std::vector<std::string> store_args_;
  std::optional<Program> store_, trainer_, worker_;
};

bool can_run() {
  if (torch_installed() && std::string_view(TABULA_SANITIZE).empty()) return true;
  MESSAGE("skipped: this build has no LibTorch, or sanitizers");
  return false;
}

}  // namespace

TEST_CASE("a clock that jumps, forwards and backwards, stops nobody") {
  if (!can_run()) return;
  Loop loop;
  for (const char* seconds : {"86400", "-172800", "40000000"}) {
    loop.put("clock", seconds);
    CHECK(loop.goes_on());
  }
  loop.check_end();
}

TEST_CASE("while the disk is full everybody says so and waits; then all goes on") {
  if (!can_run()) return;
  Loop loop;
  loop.put("full", "");
  // The worker may notice first, and then the store has nothing to write: so it gets a game of
  // ours.
  Courier courier(courier_to(loop.address(), loop.path("ours")));
  courier.deliver(packed(uniform_games(shipped("tictactoe"), 1).front()));
  CHECK(eventually([&] { return loop.store().says("disk is full"); }));
  CHECK(eventually([&] { return loop.trainer().says("disk is full"); }));
  CHECK(eventually([&] { return loop.worker().says("disk is full"); }));
  // One that starts meanwhile has no room for its curves, and stays all the same.
  CHECK(loop.trainer().end(SIGKILL) == 128 + SIGKILL);
  loop.start_trainer();
  CHECK_MESSAGE(eventually([&] { return loop.trainer().says("goes on from its checkpoint"); }),
                loop.trainer().said());
  const auto games = loop.games();
  std::this_thread::sleep_for(std::chrono::seconds(1));
  CHECK(loop.games() == games);
  CHECK(loop.worker().end(SIGTERM) == 0);  // it does not wait for somebody to make room
  CHECK_MESSAGE(loop.worker().says("the disk is full: games that nobody was told of are lost"),
                loop.worker().said());
  loop.start_worker();
  loop.take_away("full");
  CHECK(loop.goes_on());
  CHECK(courier.wait_until_empty(60'000));
  loop.check_end();
}

TEST_CASE("while the store is away nothing is lost, and when it is back all goes on") {
  if (!can_run()) return;
  const char* given = std::getenv("TABULA_AWAY");
  Loop loop;
  const auto games = loop.games();
  CHECK(loop.store().end(SIGKILL) == 128 + SIGKILL);
  std::this_thread::sleep_for(std::chrono::seconds(given ? std::atoi(given) : 3));
  loop.start_store();
  CHECK(loop.goes_on());
  CHECK(loop.games() > games);
  loop.check_end();
}

TEST_CASE("a database on a network file system is refused, unless the site vouches for it") {
  const Scratch scratch;
  std::ofstream(scratch / "network") << "";
  const auto store = [&](const char* vouches) {
    return Program(
        "replay",
        {"--db", "games.db", "--game", "tictactoe", "--listen", "ipc://" + (scratch / "s")},
        scratch.path(), "replay.log",
        {{"LD_PRELOAD", TABULA_TROUBLE_SHIM},
         {"TABULA_TROUBLE", scratch.path()},
         {"TABULA_NETWORK_DISK", vouches}});
  };
  if (!std::string_view(TABULA_SANITIZE).empty()) return;  // which must be loaded first
  Program refused = store("0");
  CHECK(refused.wait() == 1);
  CHECK_MESSAGE(refused.says("it is on a network file system (NFS)"), refused.said());
  Program allowed = store("1");
  CHECK(eventually([&] { return allowed.says("listening"); }));
  CHECK(allowed.end(SIGTERM) == 0);
}
