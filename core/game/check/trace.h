#pragma once
#include <atomic>
#include <vector>

#include "core/game/rules.h"

namespace tabula {

// What the checker is doing, kept in memory that outlives its process: after a crash the parent
// reads here which call did not come back, and after which moves.
class Trace {
 public:
  enum Slot { kMain, kTwin, kMirror, kOther, kSlots };  // games that are under way side by side

  Trace();  // shared with processes forked later
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  void start(Slot slot);
  void fork(Slot slot, int moves);  // a twin of the main game, so many moves into it
  void tick() { shared_->calls.fetch_add(1, std::memory_order_relaxed); }  // still alive
  void call(Slot slot, const char* method);  // `method` is a string literal
  void move(Slot slot, Action action);
  void finished_playout() { ++shared_->playouts; }
  void be_patient() { shared_->patient = true; }  // from here on a call may take its time
  void finish() { shared_->finished = true; }

  // For the parent.
  const char* method() const { return shared_->method; }
  std::vector<Action> moves() const;
  bool patient() const { return shared_->patient; }
  bool finished() const { return shared_->finished; }  // the child said all it had to say
  int playouts() const { return shared_->playouts; }
  long calls() const { return shared_->calls; }  // stands still when the game hangs

 private:
  struct Shared {
    std::atomic<const char*> method;
    std::atomic<int> active, playouts;
    std::atomic<bool> finished, patient;
    std::atomic<long> calls;
    std::atomic<int> shared[kSlots], counts[kSlots];  // moves of the main game, then its own
  };
  Action* moves_of(int slot) const;
  Shared* shared_;
};

}  // namespace tabula
