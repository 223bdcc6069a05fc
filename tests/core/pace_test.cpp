#include "core/service/pace.h"

#include <doctest/doctest.h>

#include <cmath>
#include <deque>
#include <vector>

#include "core/base/rng.h"

using namespace tabula;

namespace {

// A training in a cluster, second by second: workers start late, games arrive when they end,
// trainers spend a budget, reports are old, and an orchestrator asks now and then.
struct Cluster {
  explicit Cluster(std::uint64_t seed) : rng(seed) {}

  double plies_per_worker = 50, fresh_per_ply = 0.25, capacity = 2000, reuse = 8;
  int most = 10'000, start_delay = 20, game_seconds = 40, report_every = 10, poll_every = 15;

  int needed() const {
    return int(std::lround(capacity / (plies_per_worker * fresh_per_ply * reuse)));
  }
  int running() const {
    int count = 0;
    for (const int born : workers) count += now >= born + start_delay;
    return count;
  }

  void second() {
    ++now;
    const int playing = running();
    const double plies = playing * plies_per_worker * (0.8 + 0.4 * double(rng.below(1000)) / 1000);
    under_way.push_back(plies);
    double fresh = 0;
    if (int(under_way.size()) > game_seconds) {
      fresh = under_way.front() * fresh_per_ply;
      under_way.pop_front();
    }
    tokens = std::min(tokens + reuse * fresh, 1e6);
    const double samples = stopped ? 0 : std::min(tokens, capacity);
    tokens -= samples;
    sums.samples_per_second += samples;
    sums.waiting += 1 - samples / capacity;
    sums.fresh_per_second += fresh;
    sums.plies_per_second += plies;
    trained += samples;
    if (now % report_every == 0) {
      PaceReport report = sums;
      for (double* rate : {&report.samples_per_second, &report.waiting, &report.fresh_per_second,
                           &report.plies_per_second})
        *rate /= report_every;
      report.reuse_target = stopped ? 0 : reuse;
      if (stopped) report.fresh_per_second = report.samples_per_second = 0;
      report.workers = playing;
      pace.look(report, report_every);
      sums = {};
      sums.waiting = 0;
    }
    if (now % poll_every == 0) scale(std::min(pace.wanted(), most));
  }

  void scale(int replicas) {
    if (wishes.empty() || wishes.back() != replicas) wishes.push_back(replicas);
    while (int(workers.size()) > replicas) workers.pop_back();
    while (int(workers.size()) < replicas) workers.push_back(now);
  }
  // Machines are taken away; the orchestrator starts others in their place.
  void preempt(double share) {
    for (int& born : workers)
      if (double(rng.below(1000)) < 1000 * share) born = now;
  }
  void run(int seconds) {
    for (int i = 0; i < seconds; ++i) second();
  }

  // How often the wish turned round in these seconds, and how far the workers are off at the end.
  void check_settled(int seconds) {
    run(seconds);
    wishes.clear();
    double mean = 0;
    for (int i = 0; i < seconds; ++i) {
      second();
      mean += double(workers.size()) / seconds;
    }
    CAPTURE(mean);
    CAPTURE(needed());
    CHECK(std::abs(mean - needed()) <= std::max(1., 0.1 * needed()));
    CHECK(wishes.size() <= 3);
  }

  Rng rng;
  Pace pace;
  PaceReport sums{.waiting = 0};
  std::vector<int> workers = {0};  // when each was started
  std::deque<double> under_way;    // plies of games that have not ended
  std::vector<int> wishes;
  bool stopped = false;  // the trainer
  int now = 0;
  double tokens = 0, trained = 0;
};

}  // namespace

TEST_CASE("while nothing is known, one worker is wanted") {
  Pace pace;
  CHECK(pace.wanted() == 1);
  pace.look({.samples_per_second = 100, .waiting = 0, .reuse_target = 4}, 10);
  CHECK(pace.wanted() == 1);
  pace.look({.reuse_target = 4, .fresh_per_second = 5, .workers = 1, .plies_per_second = 20}, 10);
  CHECK(pace.wanted() >= 1);
}

TEST_CASE("the wish settles near the number that is needed, from 1 to 10,000 workers") {
  for (const int needed : {1, 2, 7, 40, 300, 2500, 10'000}) {
    Cluster cluster(std::uint64_t(needed) + 1);
    cluster.capacity = 100. * needed;
    REQUIRE(cluster.needed() == needed);
    cluster.check_settled(1800);
  }
}

TEST_CASE("bursts, preemptions and a slow trainer move the wish only as far as they should") {
  Cluster cluster(3);
  cluster.capacity = 5000;
  cluster.check_settled(1200);
  SUBCASE("half of the machines are taken away, again and again") {
    for (int i = 0; i < 10; ++i) {
      cluster.preempt(0.5);
      cluster.run(60);
    }
    CHECK(std::abs(double(cluster.workers.size()) - cluster.needed()) <= 0.2 * cluster.needed());
    cluster.check_settled(1200);
  }
  SUBCASE("the trainer becomes five times slower") {
    cluster.capacity = 1000;
    cluster.check_settled(1200);
  }
  SUBCASE("the network becomes larger: workers are four times slower, the trainer three times") {
    cluster.plies_per_worker /= 4;
    cluster.capacity /= 3;
    cluster.check_settled(1200);
  }
  SUBCASE("the trainer is away for ten minutes: workers are neither dismissed nor added") {
    cluster.stopped = true;
    cluster.run(600);
    cluster.stopped = false;
    CHECK(std::abs(double(cluster.workers.size()) - cluster.needed()) <= 0.1 * cluster.needed());
    cluster.check_settled(1200);
  }
  SUBCASE("games become twice as long") {
    cluster.game_seconds *= 2;
    cluster.check_settled(1200);
  }
}

TEST_CASE("the wish stays within its bounds, and nonsense does not move it") {
  Pace pace({.least = 3, .most = 5});
  const PaceReport hungry = {.samples_per_second = 1e6,
                             .waiting = 0,
                             .reuse_target = 1,
                             .fresh_per_second = 1,
                             .workers = 1,
                             .plies_per_second = 1};
  pace.look(hungry, 10);
  CHECK(pace.wanted() == 5);
  PaceReport nonsense = hungry;
  nonsense.samples_per_second = std::nan("");
  nonsense.plies_per_second = -1;
  for (int i = 0; i < 100; ++i) pace.look(nonsense, 10);
  CHECK(pace.wanted() == 5);
}
