// The loop while its programs are killed: TABULA_KILLS times, any of them, at any moment.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/digest.h"
#include "core/base/rng.h"
#include "core/data/safetensors.h"
#include "core/nn/torch_library.h"
#include "core/store/model_files.h"
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

// What is in the store's log, by number: it only ever grows.
class Log {
 public:
  explicit Log(std::string database) : database_(std::move(database)) {}

  void read_on() try {
    const Reader reader(database_);
    while (at_ < reader.head()) at_ = add(reader.read(at_, kPage), entries_);
  } catch (const Error&) {
    REQUIRE(at_ == 0);  // it is being made
  }
  // Whether all that was read is still there, byte by byte.
  bool still_there() const {
    Entries now;
    const Reader reader(database_);
    for (std::uint64_t at = 0; at < at_;) at = add(reader.read(at, kPage), now);
    return std::ranges::all_of(entries_, [&](const auto& entry) {
      const auto found = now.find(entry.first);
      return found != now.end() && found->second == entry.second;
    });
  }
  std::uint64_t games_until(std::uint64_t cursor) const {
    return std::uint64_t(std::distance(entries_.begin(), entries_.upper_bound(cursor)));
  }

 private:
  using Entries = std::map<std::uint64_t, Digest>;
  static constexpr std::size_t kPage = std::size_t{1} << 22;

  static std::uint64_t add(const LogPage& page, Entries& entries) {
    for (const LogEntry& entry : page.entries)
      if (entry.kind == LogEntry::Kind::game) entries[entry.sequence] = digest_of(entry.bytes);
    return page.next;
  }

  std::string database_;
  Entries entries_;
  std::uint64_t at_ = 0;
};

Program training_in(const Scratch& folder) {
  return {"tabula",
          {"train", "tictactoe", "--run", "r", "--publish-steps", "50"},
          folder.path(),
          "train.log"};
}

// Lines of exact play that the newest network loses, alone.
int lost_lines(const std::string& run_folder) {
  const Ran judged = run(TABULA_BUILD "/bin/tabula eval tictactoe --run " + run_folder +
                         " --model latest --simulations 0 --exact-play --no-baselines --json "
                         "2>/dev/null");
  if (judged.status != 0) return -1;
  int lost = 0;
  const auto report = nlohmann::json::parse(judged.output);
  for (const auto& side : report["lines"][0]["exact"]) lost += side["lost"].get<int>();
  return lost;
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
  const std::string run_folder = folder / "r", database = run_folder + "/games.db",
                    checkpoint = run_folder + "/training/checkpoint.safetensors";
  const auto steps = [&] {
    return std::stoull(read_tensor_file(checkpoint).metadata.at("learner.steps"));
  };
  Log log(database);
  Program train = training_in(folder);
  // The first kills come before there is a network, the others at any time after it.
  for (int i = 0; i < wanted_kills(); ++i) {
    if (i == wanted_kills() / 3)
      REQUIRE_MESSAGE(eventually([&] { return std::filesystem::exists(checkpoint); }),
                      train.said());
    std::this_thread::sleep_for(std::chrono::milliseconds(rng.below(1500)));
    log.read_on();
    const std::vector<pid_t> programs = train.children();
    const std::size_t victim = rng.below(std::uint32_t(programs.size() + 1));
    if (victim < programs.size()) {
      kill(programs[victim], SIGKILL);
    } else {  // the one that watches over them: the same command goes on
      CHECK_MESSAGE(train.end(SIGKILL) == 128 + SIGKILL, train.said());
      train = training_in(folder);
    }
  }
  REQUIRE_MESSAGE(eventually([&] { return std::filesystem::exists(checkpoint); }), train.said());
  const auto before = steps();
  CHECK_MESSAGE(eventually([&] { return steps() > before; }), train.said());
  if (std::getenv("TABULA_KILLS"))
    CHECK_MESSAGE(eventually([&] { return lost_lines(run_folder) == 0; }), train.said());
  CHECK_MESSAGE(train.end(SIGTERM) == 0, train.said());

  CHECK(log.still_there());
  log.read_on();
  const Reader reader(database);
  CHECK(reader.check().empty());
  CHECK(reader.totals().quarantined == 0);
  const auto metadata = read_tensor_file(checkpoint).metadata;
  const auto cursor = std::stoull(metadata.at("learner.cursor"));
  CHECK(cursor <= reader.head());
  CHECK(std::stoull(metadata.at("learner.games")) == log.games_until(cursor));
  const ModelFiles files(database);
  for (const ModelRow& model : reader.models()) CHECK_NOTHROW(files.verify(model.id));
}
