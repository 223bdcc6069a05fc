#include "core/service/pace.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <utility>
#include <vector>

#include "core/base/rng.h"
#include "core/report/svg_plot.h"

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
    double stored = 0;
    if (int(under_way.size()) > game_seconds) {
      stored = under_way.front();
      under_way.pop_front();
    }
    const double fresh = stored * fresh_per_ply;
    tokens = std::min(tokens + reuse * fresh, 1e6);
    const double samples = stopped ? 0 : std::min(tokens, capacity);
    tokens -= samples;
    sums.samples_per_second += samples;
    sums.waiting += 1 - samples / capacity;
    sums.fresh_per_second += fresh;
    sums.stored_per_second += stored;
    sums.plies_per_second += plies;
    played += playing;
    trained += samples;
    if (now % report_every == 0) {
      PaceReport report = sums;
      for (double* rate : {&report.samples_per_second, &report.waiting, &report.fresh_per_second,
                           &report.stored_per_second, &report.plies_per_second})
        *rate /= report_every;
      report.reuse_target = stopped ? 0 : reuse;
      if (stopped) report.fresh_per_second = report.samples_per_second = 0;
      report.workers = std::exchange(played, 0) / report_every;  // on average, as they say it
      pace.look(report, report_every);
      sums = {};
      sums.waiting = 0;
    }
    if (now % poll_every == 0) scale(std::min(pace.wanted(), most));
  }

  void scale(int replicas) {
    if (wishes.empty() || wishes.back() != replicas) wishes.push_back(replicas);
    highest = std::max(highest, replicas);
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
  int highest = 0;       // wish ever
  int played = 0;        // worker-seconds since the last report
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
    CHECK(cluster.highest <= std::max(needed + 1., 1.2 * needed));  // on the way, too
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

// TABULA_PLOTS=DIR keeps the picture, as docs/ has it.
TEST_CASE("a day in a cluster, as a picture") {
  Cluster cluster(11);
  cluster.capacity = 5000;
  SvgPlot::Points wanted, playing, needed;
  const auto run = [&](int minutes) {
    for (int i = 0; i < 60 * minutes; ++i) {
      cluster.second();
      if (cluster.now % 10 != 0) continue;
      const double minute = cluster.now / 60.;
      wanted.emplace_back(minute, cluster.pace.wanted());
      playing.emplace_back(minute, cluster.running());
      needed.emplace_back(minute, cluster.needed());
    }
  };
  run(30);
  for (int i = 0; i < 5; ++i) {
    cluster.preempt(0.5);
    run(3);
  }
  run(15);
  cluster.capacity = 2500;  // the trainer becomes slower
  run(30);
  cluster.plies_per_worker = 20;  // and the network larger
  run(30);
  CHECK(std::abs(double(cluster.workers.size()) - cluster.needed()) <= 0.1 * cluster.needed());
  const std::string picture =
      SvgPlot(
          "Half of the workers are lost five times at 30, the trainer slows down at 60, "
          "workers at 90 minutes",
          "minutes", "workers")
          .line("needed", needed)
          .line("wanted", wanted)
          .line("playing", playing)
          .text();
  CHECK(picture.size() > 1000);
  if (const char* folder = std::getenv("TABULA_PLOTS"))
    std::ofstream(std::string(folder) + "/pace.svg") << picture;
}

TEST_CASE("the wish stays within its bounds, and nonsense does not move it") {
  Pace pace({.least = 3, .most = 5});
  const PaceReport hungry = {.samples_per_second = 1e6,
                             .waiting = 0,
                             .reuse_target = 1,
                             .fresh_per_second = 1,
                             .stored_per_second = 1,
                             .workers = 4,
                             .plies_per_second = 1};
  pace.look(hungry, 10);
  CHECK(pace.wanted() == 5);
  PaceReport nonsense = hungry;
  nonsense.samples_per_second = std::nan("");
  nonsense.plies_per_second = -1;
  for (int i = 0; i < 100; ++i) pace.look(nonsense, 10);
  CHECK(pace.wanted() == 5);
}
