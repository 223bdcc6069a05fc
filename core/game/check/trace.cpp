#include "core/game/check/trace.h"

#include <sys/mman.h>

#include <new>

namespace tabula {
namespace {

constexpr std::size_t kLongest = TABULA_MAX_PLIES;  // the pages are taken when they are used
constexpr std::size_t kSize = 4096 + Trace::kSlots * kLongest * sizeof(Action);

}  // namespace

Trace::Trace() {
  void* memory = mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw Error("cannot get memory to watch the game with.");
  shared_ = new (memory) Shared{};
}

Trace::~Trace() { munmap(shared_, kSize); }

Action* Trace::moves_of(int slot) const {
  return reinterpret_cast<Action*>(shared_ + 1) + std::size_t(slot) * kLongest;
}

void Trace::start(Slot slot) { fork(slot, 0); }

void Trace::fork(Slot slot, int moves) {
  shared_->shared[slot] = moves;
  shared_->counts[slot] = 0;
}

void Trace::call(Slot slot, const char* method) {
  shared_->active = slot;
  shared_->method = method;
  tick();
}

void Trace::move(Slot slot, Action action) {
  const int count = shared_->counts[slot];
  if (std::size_t(count) == kLongest) return;
  moves_of(slot)[count] = action;
  shared_->counts[slot] = count + 1;
}

std::vector<Action> Trace::moves() const {
  const int slot = shared_->active;
  std::vector<Action> moves(moves_of(kMain), moves_of(kMain) + shared_->shared[slot]);
  moves.insert(moves.end(), moves_of(slot), moves_of(slot) + shared_->counts[slot]);
  return moves;
}

}  // namespace tabula
