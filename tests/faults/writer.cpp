// Worker and store in one thread of one process, for the fault suites: each game goes through the
// outbox into the store and is acknowledged, models are published, champions moved, matches
// decided, records refused, games adjourned, dropped and retired, and the log is checkpointed all
// the time. So every step on the way to the disk comes soon, and always in the same order. Started
// again, it goes on.
#include <iostream>
#include <thread>

#include "core/base/digest.h"
#include "core/cli/program.h"
#include "core/store/model_files.h"
#include "core/store/ownership.h"
#include "core/store/reader.h"
#include "core/store/store.h"
#include "tests/faults/games.h"
#include "tests/faults/marks.h"

namespace {
using namespace tabula;

// Does it, again and again while the disk is full.
template <class Act>
auto insist(Act act) {
  for (int tries = 1;; ++tries) try {
      return act();
    } catch (const DiskFull& full) {
      if (tries == 1) std::cerr << full.what() << std::endl;
      if (tries == 500) throw;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

class FaultWriter {
 public:
  FaultWriter(const std::string& folder, std::uint64_t seed)
      : games_(seed),
        promises_(Promises::in(folder)),
        marks_(folder),
        outbox_(folder + "/worker/outbox", 1 << 30),
        database_(folder + "/store/games.db"),
        ownership_(database_),
        store_(database_, FaultGames::identity()),
        files_(database_) {}

  // `keep`: positions; 0: all.
  void run(std::uint64_t limit, std::uint64_t seed, std::uint64_t keep) {
    deliver();
    drop();
    Rng rng(Hash().add(seed).add(promises_.saved).value());
    for (std::uint64_t turn = 1; promises_.saved < limit; ++turn) {
      save(1 + rng.below(6));
      deliver();
      if (turn % 4 == 0) publish();
      if (turn % 5 == 0) insist([&] { store_.checkpoint(); });
      if (turn % 6 == 0) refuse(rng);
      if (turn % 7 == 0) adjourn(rng);
      if (turn % 8 == 0) play_match();
      if (turn % 6 == 3) poison();
      if (keep > 0) insist([&] { return store_.retire({.positions = keep, .bytes = 0}, 4); });
    }
  }

 private:
  void save(std::uint32_t count) {
    std::vector<OutboxGame> batch;
    for (std::uint32_t i = 0; i < count; ++i) batch.push_back(games_.game(0, promises_.saved + i));
    insist([&] { outbox_.add(batch); });
    marks_.add("saved", promises_.saved += count);
  }

  void deliver() {
    std::vector<Arrival> arrivals;
    for (const GameId& id : outbox_.waiting())
      arrivals.push_back(FaultGames::arrival({id, *outbox_.find(id)}));
    if (arrivals.empty()) return;
    insist([&] { return store_.add(arrivals); });
    marks_.add("acked", promises_.saved);
    for (const Arrival& arrival : arrivals) outbox_.remove(arrival.id);
  }

  void publish() {
    const std::string bytes = games_.model(promises_.models);
    const std::string id = hex(digest_of(bytes));
    const std::size_t half = bytes.size() / 2;
    insist([&] { return files_.receive(id, 0, bytes.substr(0, half)); });
    insist([&] { return files_.receive(id, half, bytes.substr(half)); });
    insist([&] { files_.complete(id); });
    insist([&] { return store_.add_model({.id = id, .bytes = bytes.size()}); });
    marks_.add("models", ++promises_.models);
    if (promises_.models % 2 == 0) return;
    const std::uint64_t version = Reader(database_).champion().version;
    insist([&] { return store_.move_champion(version, id, 0); });
  }

  void refuse(Rng& rng) {
    OutboxGame game = games_.game(1, rng.below(1000));
    Arrival arrival = FaultGames::arrival(game);
    arrival.kind = Arrival::Kind::refused;
    arrival.reason = "for the test";
    insist([&] { return store_.add({&arrival, 1}); });
  }

  void adjourn(Rng& rng) {
    Arrival arrival = FaultGames::arrival(games_.game(2, rng.below(1000)));
    arrival.kind = Arrival::Kind::adjourned;
    insist([&] { return store_.add({&arrival, 1}); });
    insist([&] { return store_.lend_adjourned("local", 0, 0); });
  }

  void poison() {
    Arrival arrival = FaultGames::arrival(games_.game(kPoisoner, promises_.saved));
    arrival.worker = "poison";
    insist([&] { return store_.add({&arrival, 1}); });
    drop();
  }
  void drop() {
    insist([&] { return store_.drop({.worker = "poison"}, "for the test"); });
  }

  void play_match() {
    const std::string candidate = hex(digest_of(games_.model(promises_.models - 1)));
    const std::string champion = Reader(database_).champion().model;
    const std::uint64_t match = insist([&] {
      return store_.open_match({.candidate = candidate, .champion = champion, .slots = 1});
    });
    insist([&] { return store_.lend_slot(match, "local", 0, 10); });
    insist([&] { return store_.report_slot(match, 0, "1", "local"); });
    insist([&] { return store_.decide_match(match, "better", true); });
  }

  FaultGames games_;
  Promises promises_;
  Marks marks_;
  Outbox outbox_;
  std::string database_;
  Ownership ownership_;
  Store store_;
  ModelFiles files_;
};

int run_writer(const Args& args) {
  std::string folder;
  std::uint64_t seed = 1, limit = 100, keep = 0;
  Options options("fault_writer --folder DIR", "Outbox and store in one process.");
  options.add("folder", folder, "with a folder `worker` and a folder `store`")
      .add("seed", seed, "of the games")
      .add("limit", limit, "how many games to make")
      .add("keep", keep, "positions; older games leave");
  if (!options.parse(args)) return 0;
  FaultWriter(folder, seed).run(limit, seed, keep);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return tabula::run_program("fault_writer", argc, argv, run_writer);
}
