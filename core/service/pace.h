// How many self-play workers a training wants: the one number that orchestrators scale by.
#pragma once
#include <cstdint>

namespace tabula {

struct PaceConfig {
  double least = 1, most = 10'000;  // workers
  double memory_seconds = 60;       // over which rates are averaged
  double tolerance = 0.05;          // a wish that is off by less is kept
};

// What trainers and workers say of themselves, now.
struct PaceReport {
  double samples_per_second = 0;  // of all trainers
  double waiting = 1;             // share of the time in which they waited for games
  double reuse = 0;               // how often each position was used so far
  double reuse_target = 0;        // and is to be used
  double fresh_per_second = 0;    // positions to learn from that came to the trainers
  double stored_per_second = 0;   // searched plies of the games that came to the store
  int workers = 0;                // that play
  double plies_per_second = 0;    // of all of them, searched now
};

// Wanted is what makes as many positions as the trainers, never waiting, use up at the target. It
// follows from rates that do not depend on how many workers there are, so acting on it does not
// move it: no oscillation, whatever the orchestrator's delay. It grows to no more than twice those
// that play: a mistake in a rate is found out before it is dear.
class Pace {
 public:
  explicit Pace(const PaceConfig& config = {}) : config_(config) {}

  void look(const PaceReport& report, double seconds);  // since the last look
  int wanted() const { return wanted_; }
  double capacity() const { return capacity_.value; }            // samples/s of busy trainers
  double plies_per_worker() const { return per_worker_.value; }  // a second
  double fresh_per_ply() const;                                  // positions that teach

 private:
  // A mean over the last seconds; at first, over all there were.
  struct Average {
    double value = 0, seconds = 0;
    void add(double sample, double span, double memory);
  };

  PaceConfig config_;
  Average capacity_, per_worker_, fresh_, stored_;
  int wanted_ = 1;
};

}  // namespace tabula
