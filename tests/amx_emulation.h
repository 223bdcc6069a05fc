// AMX tiles on processors without: the instructions fault, and what they would have done is done to
// tiles in memory. Shows that the kernel's own machine code is right; says nothing about its speed.
#pragma once

namespace tabula {

// While it lives, tile instructions of this process work, and are counted. One at a time; the tiles
// are the process's, so one thread may use them.
class AmxEmulation {
 public:
  AmxEmulation();
  ~AmxEmulation();
  AmxEmulation(const AmxEmulation&) = delete;
  AmxEmulation& operator=(const AmxEmulation&) = delete;

  static long executed();  // instructions, of all emulations so far
};

}  // namespace tabula
