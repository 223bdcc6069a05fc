#pragma once
#include "core/data/stored_game.h"

namespace tabula {

// Where finished games go. Thread-safe.
class GameSink {
 public:
  virtual ~GameSink() = default;
  virtual bool accepts() = 0;  // false: begin no new games for now
  virtual void deliver(const StoredGame& game) = 0;
};

}  // namespace tabula
