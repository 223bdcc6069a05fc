// Power cuts, simulated from the log of all that outbox and store did to the disk.
#include <doctest/doctest.h>

#include "tests/faults/cluster.h"
#include "tests/faults/images.h"
#include "tests/faults/simulated_disk.h"
#include "tests/faults/suite.h"
#include "tests/scratch.h"

using namespace tabula;
namespace fs = std::filesystem;

namespace {

// Worker and store in one process, twice killed and once ended on the way.
std::vector<DiskOp> writer_log(const Scratch& scratch, std::uint64_t seed, std::uint64_t games) {
  const std::string folder = scratch / "disk", log = scratch / "log";
  for (const char* name : {"worker", "store"}) fs::create_directories(folder + "/" + name);
  for (const auto& [share, die_at] : std::map<int, const char*>{
           {1, "outbox.flushed:9"}, {2, ""}, {3, "store.committed:20"}, {4, ""}}) {
    std::vector<std::string> environment = recorded(folder, log);
    environment.push_back(std::string("TABULA_DIE_AT=") + die_at);
    const int status =
        Process({program("fault_writer"), "--folder", folder, "--seed", std::to_string(seed),
                 "--limit", std::to_string(games * std::uint64_t(share) / 4), "--keep", "800"},
                environment, scratch / "said.txt")
            .wait();
    INFO(text_of(scratch / "said.txt"));
    REQUIRE((status == 0 || status == kKilled));
  }
  return read_disk_log(log);
}

// The real programs: `replay`, and one worker that sends to it.
std::vector<DiskOp> programs_log(const Scratch& scratch, std::uint64_t seed, std::uint64_t games) {
  const std::string folder = scratch / "disk", log = scratch / "log";
  Cluster cluster(folder, seed, 1);
  const std::string address = "ipc://" + scratch / "store.ipc";
  cluster.add_store(address);
  cluster.add_workers(address, {}, {"--limit", std::to_string(games), "--pause", "0"});
  cluster.set_environment(recorded(folder, log));
  cluster.start_all();
  Actor& worker = cluster.actor("worker-0");
  REQUIRE_MESSAGE(worker.process->wait() == 0, cluster.complaint(worker));
  Actor& store = cluster.actor("store");
  store.process->kill(SIGTERM);
  REQUIRE_MESSAGE(store.process->wait() == 0, cluster.complaint(store));
  return read_disk_log(log);
}

struct Recording {
  std::vector<DiskOp> ops;
  SimulatedDisk disk;  // before the first of them
  Promises promises{};
  std::string outbox;
};

// Half of the cuts just before a flush returns, spread over the whole run.
std::vector<std::size_t> moments(const std::vector<DiskOp>& ops, int count, Rng& rng) {
  std::vector<std::size_t> flushes, cuts;
  for (std::size_t i = 0; i < ops.size(); ++i)
    if (ops[i].kind == DiskOp::sync || ops[i].kind == DiskOp::sync_folder) flushes.push_back(i);
  REQUIRE(flushes.size() > 5);
  for (int i = 0; i < count; ++i)
    cuts.push_back(i % 2 ? rng.below(std::uint32_t(ops.size()))
                         : flushes[rng.below(std::uint32_t(flushes.size()))]);
  std::ranges::sort(cuts);
  return cuts;
}

// What the writer does on a disk after a cut, which may be cut too.
Recording went_on(const fs::path& folder, const Promises& promises, std::uint64_t seed) {
  fs::create_directories(folder / "worker");
  const Marks marks(folder);
  marks.add("saved", promises.saved);
  marks.add("acked", promises.acked);
  marks.add("models", promises.models);
  Recording recording{{}, SimulatedDisk(folder, {}), promises, "worker/outbox"};
  recording.disk.adopt();
  const Scratch scratch;
  const int status =
      Process({program("fault_writer"), "--folder", folder, "--seed", std::to_string(seed),
               "--limit", std::to_string(promises.saved + 12), "--keep", "800"},
              recorded(folder, scratch / "log"), scratch / "said.txt")
          .wait();
  CHECK_MESSAGE(status == 0, text_of(scratch / "said.txt"));
  recording.ops = read_disk_log(scratch / "log");
  return recording;
}

// Every `again`th disk is used after the cut, and cut once more.
void cut(Recording recording, int images, int again, const FaultLedger& ledger, std::uint64_t seed,
         Rng& rng, ImageTally& tally) {
  std::size_t at = 0;
  for (const std::size_t moment : moments(recording.ops, images, rng)) {
    for (; at < moment; ++at) {
      const DiskOp& op = recording.ops[at];
      recording.disk.apply(op);
      if (op.kind == DiskOp::mark) recording.promises.add(op.data);
    }
    const auto data = Unsafe(rng.below(kUnsafes)), names = Unsafe(rng.below(kUnsafes));
    CAPTURE(moment);
    CAPTURE(int(data));
    CAPTURE(int(names));
    std::optional<Recording> second;
    {
      const Image image;
      recording.disk.write_image(image.path(), data, names, rng);
      if (again > 0 && tally.images % again == 0)
        second = went_on(image.path(), recording.promises, seed);
      else
        check_image(image.path(), image.path() / recording.outbox, ledger, recording.promises,
                    tally);
    }
    if (second) cut(std::move(*second), 3, 0, ledger, seed, rng, tally);
  }
}

void run_suite(const std::string& family, bool programs, int images, std::uint64_t games) {
  const std::uint64_t seed = suite_seed();
  const Row row(family, seed);
  const Scratch scratch;
  const std::vector<DiskOp> ops =
      programs ? programs_log(scratch, seed, games) : writer_log(scratch, seed, games);
  FaultLedger ledger(seed);
  ledger.made(0, games + 12);
  ledger.made(kPoisoner, games + 12);
  Rng rng(seed);
  ImageTally tally;
  const std::string worker = programs ? "worker-0" : "worker";
  cut({ops, SimulatedDisk(scratch / "disk", {worker, "store"}), {}, worker + "/outbox"}, images,
      programs ? 0 : 5, ledger, seed, rng, tally);
  CHECK(tally.images >= images);
  CHECK(tally.with_games > images / 4);
  CHECK(tally.resent > 0);
  row.write(std::to_string(tally.images) + " images of " + std::to_string(ops.size()) +
                " steps on the disk; " + std::to_string(games) + " games",
            tally.count.text());
}

}  // namespace

TEST_CASE("whatever a power cut leaves of outbox and store, no promise is broken" *
          doctest::skip(!kPreloads)) {
  run_suite("power cut, every step", false, by_length(40, 1400, 7000),
            by_length<std::uint64_t>(60, 300, 600));
}

TEST_CASE("whatever a power cut leaves of a worker's and a store's disks, no promise is broken" *
          doctest::skip(!kPreloads)) {
  run_suite("power cut, whole programs", true, by_length(20, 600, 3000),
            by_length<std::uint64_t>(60, 1500, 3000));
}
