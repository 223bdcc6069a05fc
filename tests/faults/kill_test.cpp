// kill -9, at random moments and at every named point on a game's way.
#include <doctest/doctest.h>

#include <set>

#include "tests/faults/cluster.h"
#include "tests/faults/images.h"
#include "tests/faults/suite.h"
#include "tests/scratch.h"

using namespace tabula;

namespace {

// Between every two steps, where real games come by; those of the writer follow.
const std::vector<std::string> kStorePoints = {
    "service.received",    "store.begin",     "store.insert",      "store.known",
    "store.before-commit", "store.committed", "service.committed", "service.answered"};
const std::vector<std::string> kWorkerPoints = {
    "outbox.segment",      "outbox.written",       "outbox.flushed",
    "outbox.drained",      "courier.saved",        "courier.sent",
    "courier.before-send", "courier.acknowledged", "courier.removed"};
const std::vector<std::string> kConsumerPoints = {"consumer.read", "consumer.written",
                                                  "consumer.flushed"};
const std::vector<std::string> kWriterPoints = {"outbox.segment",     "outbox.written",
                                                "outbox.flushed",     "outbox.drained",
                                                "store.begin",        "store.insert",
                                                "store.known",        "store.before-commit",
                                                "store.committed",    "store.before-checkpoint",
                                                "store.checkpointed", "store.quarantine",
                                                "store.adjourned",    "store.champion",
                                                "store.slot",         "store.verdict",
                                                "model.written",      "model.flushed",
                                                "model.renamed",      "model.named",
                                                "model.row",          "store.drop",
                                                "store.retire"};

const std::vector<std::string>& points_of(const Actor& actor) {
  return actor.name == "store"      ? kStorePoints
         : actor.name == "consumer" ? kConsumerPoints
                                    : kWorkerPoints;
}

struct Kills {
  std::map<std::string, int> named;  // by point
  int random = 0;
  int all() const {
    int sum = random;
    for (const auto& [point, count] : named) sum += count;
    return sum;
  }
};

// Each actor runs with a point to die at, or without; who lives too long is killed at random. Goes
// on until there were so many kills and, if wanted, every point had one. Returns whoever ended in
// another way.
std::string kill_them(Cluster& cluster, int wanted, bool all_points, Rng& rng, Kills& kills) {
  std::map<std::string, std::size_t> next;  // of an actor's points
  const auto restart = [&](Actor& actor) {
    const std::vector<std::string>& points = points_of(actor);
    const std::string point = points[next[actor.name]++ % points.size()];
    const std::uint32_t times = rng.below(2) ? 1 : 1 + rng.below(12);
    cluster.start(actor, rng.below(3) ? point + ":" + std::to_string(times) : std::string());
  };
  for (Actor& actor : cluster.actors()) restart(actor);
  const auto missing = [&] {
    return all_points &&
           kills.named.size() < kStorePoints.size() + kWorkerPoints.size() + kConsumerPoints.size();
  };
  while (kills.all() < wanted || (missing() && kills.all() < 4 * wanted)) {
    for (const std::int64_t end = clock_ms() + 20 + rng.below(300); clock_ms() < end;) {
      for (Actor& actor : cluster.actors()) {
        const std::optional<int> status = actor.process->ended();
        if (!status) continue;
        if (*status != kKilled || actor.die_at.empty()) return cluster.complaint(actor);
        ++kills.named[actor.die_at.substr(0, actor.die_at.find(':'))];
        restart(actor);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    Actor& victim = cluster.actors()[rng.below(std::uint32_t(cluster.actors().size()))];
    victim.process->kill(SIGKILL);
    if (victim.process->wait() != kKilled) return cluster.complaint(victim);
    ++kills.random;
    restart(victim);
  }
  for (Actor& actor : cluster.actors()) {  // without anything to die at
    actor.process->kill(SIGKILL);
    actor.process->wait();
    cluster.start(actor);
  }
  // Now the workers live on: what the store took with it they must send again.
  for (int i = 0; i < 4; ++i, ++kills.random) {
    std::this_thread::sleep_for(std::chrono::milliseconds(150 + rng.below(100)));
    Actor& store = cluster.actor("store");
    store.process->kill(SIGKILL);
    if (store.process->wait() != kKilled) return cluster.complaint(store);
    cluster.start(store);
  }
  return "";
}

}  // namespace

TEST_CASE("store, workers and consumer are killed at any moment, and no game is lost") {
  const std::uint64_t seed = suite_seed();
  const Row row("kill -9, whole programs", seed);
  const int wanted = by_length(12, 260, 1650);
  const Scratch scratch;
  Rng rng(seed);
  Cluster cluster(scratch.path(), seed, 2);
  const std::string address = "ipc://" + scratch / "store.ipc";
  cluster.add_store(address);
  cluster.add_workers(address);
  cluster.add_consumer(address);
  Kills kills;
  const bool all_points = by_length(false, true, true);
  REQUIRE(kill_them(cluster, wanted, all_points, rng, kills) == "");
  REQUIRE(cluster.finish() == "");
  FaultLedger ledger(seed);
  std::vector<std::string> sentences;
  std::size_t games = 0;
  const FaultLedger::Count count = cluster.count(ledger, sentences, &games);
  CHECK(sentences == std::vector<std::string>{});
  CHECK(count == FaultLedger::Count{});
  CHECK(kills.all() >= wanted);
  CHECK(kills.random > 0);
  CHECK(!kills.named.empty());
  if (all_points)
    for (const auto& points : {kStorePoints, kWorkerPoints, kConsumerPoints})
      for (const std::string& point : points) {
        CAPTURE(point);
        CHECK(kills.named[point] > 0);
      }
  row.write(std::to_string(kills.all()) + " kills, " + std::to_string(kills.all() - kills.random) +
                " of them at " + std::to_string(kills.named.size()) + " named points; " +
                std::to_string(games) + " games",
            count.text());
}

TEST_CASE("a writer dies at each point on the way to the disk, and goes on") {
  const std::uint64_t seed = suite_seed();
  const Row row("kill -9, every point", seed);
  const int rounds = by_length(1, 4, 22);
  const std::uint64_t games_a_round = 30;
  const Scratch scratch;
  Rng rng(seed);
  FaultLedger ledger(seed);
  for (const char* folder : {"worker", "store"})
    std::filesystem::create_directories(scratch / folder);
  std::uint64_t limit = 0;
  int kills = 0;
  ImageTally tally;
  const auto write = [&](const std::string& die_at) {
    return Process({program("fault_writer"), "--folder", scratch.path(), "--seed",
                    std::to_string(seed), "--limit", std::to_string(limit), "--keep", "800"},
                   {"TABULA_DIE_AT=" + die_at}, scratch / "said.txt")
        .wait();
  };
  for (int round = 0; round < rounds; ++round)
    for (const std::string& point : kWriterPoints) {
      CAPTURE(point);
      CAPTURE(round);
      limit += games_a_round;
      const int status = write(point + ":" + std::to_string(1 + rng.below(round == 0 ? 1 : 3)));
      INFO(text_of(scratch / "said.txt"));
      REQUIRE((status == kKilled || status == 0));
      kills += status == kKilled;
      if (round == 0) CHECK(status == kKilled);
      const Promises promises = Promises::in(scratch.path());
      ledger.made(0, promises.saved);
      ledger.made(kPoisoner, promises.saved);
      check_image(scratch.path(), scratch / "worker/outbox", ledger, promises, tally);
    }
  CHECK(kills >= int(kWriterPoints.size()));
  row.write(std::to_string(kills) + " kills at " + std::to_string(kWriterPoints.size()) +
                " named points; " + std::to_string(limit) + " games",
            tally.count.text());
}
