#pragma once
#include <atomic>
#include <span>

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
  void call(Slot slot, const char* method);  // `method` is a string literal
  void move(Slot slot, Action action);
  void finished_playout() { ++shared_->playouts; }
  void finish() { shared_->finished = true; }

  // For the parent.
  const char* method() const { return shared_->method; }
  std::span<const Action> moves() const;
  bool finished() const { return shared_->finished; }  // the child said all it had to say
  int playouts() const { return shared_->playouts; }
  long calls() const { return shared_->calls; }  // stands still when the game hangs

 private:
  struct Shared {
    std::atomic<const char*> method;
    std::atomic<int> active, playouts;
    std::atomic<bool> finished;
    std::atomic<long> calls;
    std::atomic<int> counts[kSlots];
  };
  Action* moves_of(int slot) const;
  Shared* shared_;
};

}  // namespace tabula
