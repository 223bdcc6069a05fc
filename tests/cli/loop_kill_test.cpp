// The loop while its programs are killed: TABULA_KILLS times, any of them, at any moment.
#include <doctest/doctest.h>

#include "core/base/rng.h"
#include "core/data/safetensors.h"
#include "core/nn/torch_library.h"
#include "core/store/model_files.h"
#include "core/store/ownership.h"
#include "core/store/reader.h"
#include "tests/program.h"
#include "tests/run.h"
#include "tests/scratch.h"

using namespace tabula;

namespace {

int wanted_kills() {
  const char* given = std::getenv("TABULA_KILLS");
  return given ? std::atoi(given) : 6;
}

std::uint64_t random_seed() {
  const char* given = std::getenv("TABULA_SEED");
  return given ? std::strtoull(given, nullptr, 10)
               : std::uint64_t(std::chrono::steady_clock::now().time_since_epoch().count());
}

struct Loop {
  explicit Loop(const Scratch& scratch)
      : folder(scratch.path()), address("ipc://" + (scratch / "s")) {
    for (int i = 0; i < 3; ++i) programs.push_back(started(i));
  }

  Program started(int which) const {
    if (which == 0)
      return {"replay",
              {"--db", "games.db", "--game", "tictactoe", "--listen", address},
              folder,
              "replay.log"};
    if (which == 1)
      return {"trainer",
              {"--replay", address, "--run", "training", "--report", "1", "--publish-steps", "50"},
              folder,
              "trainer.log"};
    return {"selfplay",
            {"--replay", address, "--outbox", "outbox", "--threads", "1", "--report", "1"},
            folder,
            "selfplay.log"};
  }

  std::string folder, address;
  std::vector<Program> programs;  // store, trainer, self-play
};

std::uint64_t games_until(const Reader& reader, std::uint64_t cursor) {
  std::uint64_t games = 0;
  for (std::uint64_t at = 0; at < cursor;) {
    const LogPage page = reader.read(at, std::size_t{1} << 22);
    for (const LogEntry& entry : page.entries)
      games += entry.kind == LogEntry::Kind::game && entry.sequence <= cursor;
    at = page.next;
  }
  return games;
}

}  // namespace

TEST_CASE("kill -9 of any program at any moment: training goes on, and the books agree") {
  if (!torch_installed()) {
    MESSAGE("skipped: this build has no LibTorch");
    return;
  }
  const std::uint64_t seed = random_seed();
  MESSAGE("TABULA_SEED=" << seed);
  Rng rng(seed);
  const Scratch folder;
  const std::string database = folder / "games.db",
                    checkpoint = folder / "training/checkpoint.safetensors";
  Loop loop(folder);
  REQUIRE(eventually([&] { return std::filesystem::exists(checkpoint); }));
  std::uint64_t stored = 0;
  for (int i = 0; i < wanted_kills(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(rng.below(1500)));
    const std::uint64_t now = Reader(database).totals().seen_games;
    CHECK(now >= stored);
    stored = now;
    const int which = int(rng.below(3));
    CHECK(loop.programs[std::size_t(which)].end(SIGKILL) == 128 + SIGKILL);
    loop.programs[std::size_t(which)] = loop.started(which);
  }
  const auto steps = [&] {
    return std::stoull(read_tensor_file(checkpoint).metadata.at("learner.steps"));
  };
  const auto before = steps();
  CHECK(eventually([&] { return steps() > before; }));
  CHECK_MESSAGE(loop.programs[2].end(SIGTERM) == 0, loop.programs[2].said());
  CHECK_MESSAGE(loop.programs[1].end(SIGTERM) == 0, loop.programs[1].said());
  CHECK_MESSAGE(loop.programs[0].end(SIGTERM) == 0, loop.programs[0].said());

  const Reader reader(database);
  CHECK(reader.check().empty());
  CHECK(reader.totals().seen_games >= stored);
  CHECK(reader.totals().quarantined == 0);
  const auto metadata = read_tensor_file(checkpoint).metadata;
  const auto cursor = std::stoull(metadata.at("learner.cursor"));
  CHECK(cursor <= reader.head());
  CHECK(std::stoull(metadata.at("learner.games")) == games_until(reader, cursor));
  const ModelFiles files(database);
  for (const ModelRow& model : reader.models()) CHECK_NOTHROW(files.verify(model.id));
  if (std::getenv("TABULA_KILLS")) {
    const Ran judged = tabula_program("eval tictactoe --run " + folder.path() +
                                      " --model latest --simulations 0 --exact-play");
    MESSAGE(judged.output);
  }
}
