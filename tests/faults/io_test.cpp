// A full disk or an error of it at the Kth call of the system, K over the whole run.
#include <doctest/doctest.h>

#include <set>

#include "tests/faults/cluster.h"
#include "tests/faults/images.h"
#include "tests/faults/simulated_disk.h"
#include "tests/faults/suite.h"
#include "tests/scratch.h"

using namespace tabula;
namespace fs = std::filesystem;

namespace {

struct Failure {
  const char* code;
  long first, count;
  const char* only = "";  // "sync" or "write": of such calls
  std::string text() const {
    return std::string("TABULA_FAIL=") + code + ":" + std::to_string(first) + ":" +
           std::to_string(count) + ":" + only;
  }
};

// What a run's log says about its failures.
struct Fired {
  int calls = 0;                                         // that failed
  bool flush = false;                                    // one of them was a flush
  bool promised_before = false, promised_after = false;  // games, in terms of the first failure
  bool promised_after_flush = false;
  std::string call;  // the first that failed
};
// `promise`: the mark that the failing program stands for. A folder that could not be flushed, of
// which SQLite says nothing, may be flushed again; a file may not.
Fired fired_in(const std::vector<DiskOp>& ops, const char* promise) {
  Fired fired;
  std::set<std::string> unflushed;
  for (const DiskOp& op : ops) {
    if (op.kind == DiskOp::sync_folder) unflushed.erase(op.path);
    if (op.kind == DiskOp::mark && op.data.starts_with(promise)) {
      fired.promised_after_flush |= !unflushed.empty();
      (fired.calls ? fired.promised_after : fired.promised_before) = true;
    }
    if (op.kind != DiskOp::fault) continue;
    if (fired.calls++ == 0) fired.call = op.path + " " + op.to;
    if (!op.path.ends_with("sync")) continue;
    fired.flush = true;
    unflushed.insert(op.to);
  }
  return fired;
}

struct IoTally {
  int trials = 0, failed_calls = 0, failed_flushes = 0, went_on = 0, stopped = 0;
  ImageTally images;
  std::string text() const {
    return std::to_string(trials) + " runs, " + std::to_string(failed_calls) + " failed calls, " +
           std::to_string(failed_flushes) + " runs with failed flushes; went on " +
           std::to_string(went_on) + ", stopped with a sentence " + std::to_string(stopped);
  }
};

// One clear sentence, and no more than the exit code 1.
void check_ending(int status, const std::string& said, const Failure& failure, const Fired& fired,
                  IoTally& tally) {
  INFO(said);
  CHECK((status == 0 || status == 1));
  CHECK(!contains(said, "internal error"));
  const bool full = std::string_view(failure.code) != "EIO";
  if (full && fired.promised_before && !fired.flush) {
    CHECK(status == 0);
    tally.went_on += status == 0;
  }
  if (full && fired.promised_before && fired.promised_after && failure.count > 2)
    CHECK(contains(said, "disk is full"));
  if (status == 1) {
    CHECK(contains(said, ": "));
    CHECK(said.ends_with(".\n"));
    ++tally.stopped;
  }
}

// What the disk holds if the power goes now.
void check_after_cut(const Scratch& scratch, const std::string& worker, const FaultLedger& ledger,
                     IoTally& tally) {
  Promises promises;
  SimulatedDisk disk(scratch / "disk", {worker, "store"});
  for (const DiskOp& op : read_disk_log(scratch / "log")) {
    disk.apply(op);
    if (op.kind == DiskOp::mark) promises.add(op.data);
  }
  Rng rng(1);
  const Image image;
  disk.write_image(image.path(), Unsafe::lost, Unsafe::lost, rng);
  check_image(image.path(), image.path() / worker / "outbox", ledger, promises, tally.images);
}

// What the folder shows.
void check_folder(const Scratch& scratch, const std::string& worker, const std::string& marks,
                  const FaultLedger& ledger, IoTally& tally) {
  check_image(scratch / "disk", scratch / "disk/" + worker + "/outbox", ledger,
              Promises::in(scratch / "disk/" + marks), tally.images);
}

// False: the run is over before the Kth call.
bool writer_trial(const Failure& failure, std::uint64_t seed, const FaultLedger& ledger,
                  IoTally& tally) {
  const Scratch scratch;
  const std::string folder = scratch / "disk", log = scratch / "log";
  for (const char* name : {"worker", "store"}) fs::create_directories(folder + "/" + name);
  const auto write = [&](const std::string& setting) {
    std::vector<std::string> environment = recorded(folder, log);
    environment.push_back(setting);
    return Process({program("fault_writer"), "--folder", folder, "--seed", std::to_string(seed),
                    "--limit", "24", "--keep", "300"},
                   environment, scratch / "said.txt")
        .wait();
  };
  CAPTURE(failure.text());
  const int status = write(failure.text());
  const Fired fired = fired_in(read_disk_log(log), "");
  if (fired.calls == 0) return false;
  ++tally.trials;
  tally.failed_calls += fired.calls;
  tally.failed_flushes += fired.flush;
  CAPTURE(fired.call);
  CHECK(!fired.promised_after_flush);
  check_ending(status, text_of(scratch / "said.txt"), failure, fired, tally);
  // It is started again, makes new promises, and the power goes.
  const int again = write("TABULA_DIE_AT=outbox.written:3");
  CHECK_MESSAGE((again == 0 || again == kKilled), text_of(scratch / "said.txt"));
  check_after_cut(scratch, "worker", ledger, tally);
  const int last = write("TABULA_FAIL=none");
  CHECK_MESSAGE(last == 0, text_of(scratch / "said.txt"));
  check_after_cut(scratch, "worker", ledger, tally);
  check_folder(scratch, "worker", "", ledger, tally);
  return true;
}

// The real programs; the disk of one of them fails.
bool programs_trial(const Failure& failure, const std::string& failing, std::uint64_t seed,
                    const FaultLedger& ledger, IoTally& tally) {
  const Scratch scratch;
  const std::string log = scratch / "log";
  Cluster cluster(scratch / "disk", seed, 1);
  const std::string address = "ipc://" + scratch / "store.ipc";
  cluster.add_store(address);
  cluster.add_workers(address, {}, {"--limit", "30", "--pause", "0", "--patience", "20000"});
  cluster.set_environment(recorded(scratch / "disk", log));
  CAPTURE(failure.text());
  CAPTURE(failing);
  for (Actor& actor : cluster.actors())
    cluster.start(actor, "", actor.name == failing ? failure.text() : "");
  Actor& worker = cluster.actor("worker-0");
  Actor& store = cluster.actor("store");
  Actor& victim = cluster.actor(failing);
  while (!worker.process->ended() && !victim.process->ended())
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  if (&victim == &store && !store.process->ended()) store.process->kill(SIGTERM);
  const int status = victim.process->wait();
  const Fired fired = fired_in(read_disk_log(log), &victim == &store ? "acked" : "saved");
  if (fired.calls == 0) return false;
  ++tally.trials;
  tally.failed_calls += fired.calls;
  tally.failed_flushes += fired.flush;
  CAPTURE(fired.call);
  check_ending(status, text_of(cluster.output(victim)), failure, fired, tally);
  if (&victim == &worker) CHECK(!fired.promised_after_flush);
  if (&victim == &store || status != 0) cluster.start(victim);
  CHECK_MESSAGE(worker.process->wait() == 0, cluster.complaint(worker));
  const bool gently = failure.first % 2 == 0;
  store.process->kill(gently ? SIGTERM : SIGKILL);
  CHECK_MESSAGE(store.process->wait() == (gently ? 0 : kKilled), cluster.complaint(store));
  check_after_cut(scratch, "worker-0", ledger, tally);
  check_folder(scratch, "worker-0", "worker-0", ledger, tally);
  return true;
}

void check_fired(const IoTally& tally) {
  CHECK(tally.trials > 0);
  CHECK(tally.failed_flushes > 0);
  CHECK(tally.went_on > 0);
  CHECK(tally.stopped > 0);
}

}  // namespace

TEST_CASE("a disk that is full or fails at any call loses nothing, and the reason is said" *
          doctest::skip(!kPreloads)) {
  const std::uint64_t seed = suite_seed();
  const Row row("disk error at the Kth call", seed);
  FaultLedger ledger(seed);
  ledger.made(0, 64);
  ledger.made(kPoisoner, 64);
  IoTally tally;
  const long step = by_length(97, 1, 1);
  long most = 0;
  for (const Failure kind : {Failure{"ENOSPC", 0, 3}, {"EIO", 0, 1}, {"EDQUOT", 0, 40}})
    for (long k = 1 + long(seed) % step;; k += step) {
      most = std::max(most, k);
      if (!writer_trial({kind.code, k, kind.count}, seed, ledger, tally)) break;
    }
  // Flushes of the log while games come in, and what fills the disk then.
  for (long k = 10; k < 22; ++k) CHECK(writer_trial({"EIO", k, 1, "sync"}, seed, ledger, tally));
  // Which writes are a game's depends on the seed; some are, before the run is over.
  for (long k = 60; k < 70 || tally.went_on == 0; k += 11)
    if (!writer_trial({"ENOSPC", k, 9, "write"}, seed, ledger, tally)) break;
  check_fired(tally);
  row.write(tally.text() + "; K to " + std::to_string(most), tally.images.count.text());
}

TEST_CASE(
    "a worker or a store whose disk is full or fails loses nothing, and goes on or is started "
    "again" *
    doctest::skip(!kPreloads)) {
  const std::uint64_t seed = suite_seed();
  const Row row("disk error, whole programs", seed);
  FaultLedger ledger(seed);
  ledger.made(0, 64);
  IoTally tally;
  for (const Failure& sure : {Failure{"EIO", 12, 1, "sync"}, {"ENOSPC", 70, 5, "write"}})
    CHECK(programs_trial(sure, "store", seed, ledger, tally));
  for (const Failure& sure : {Failure{"EIO", 5, 1, "sync"}, {"ENOSPC", 5, 5, "write"}})
    CHECK(programs_trial(sure, "worker-0", seed, ledger, tally));
  if (const long step = by_length(0, 3, 1))
    for (const char* failing : {"store", "worker-0"})
      for (const Failure kind : {Failure{"ENOSPC", 0, 5}, {"EIO", 0, 1}})
        for (long k = 1 + long(seed) % step;; k += failing[0] == 's' ? step : (step + 3) / 4)
          if (!programs_trial({kind.code, k, kind.count}, failing, seed, ledger, tally)) break;
  check_fired(tally);
  row.write(tally.text(), tally.images.count.text());
}
