#pragma once
#include <cassert>
#include <cstddef>
#include <vector>

namespace tabula {

// What belongs to each batch that was begun and not finished: first in, first out.
template <class Slot>
class InFlight {
 public:
  explicit InFlight(std::size_t most) : slots_(most) {}
  explicit InFlight(std::vector<Slot> slots) : slots_(std::move(slots)) {}

  int most() const { return int(slots_.size()); }
  Slot& begin() {
    assert(begun_ - finished_ < slots_.size());
    return slots_[begun_++ % slots_.size()];
  }
  Slot& finish() {
    assert(finished_ < begun_);
    return slots_[finished_++ % slots_.size()];
  }

 private:
  std::vector<Slot> slots_;
  std::size_t begun_ = 0, finished_ = 0;
};

}  // namespace tabula
