// Where the games of self-play go: to a store, or into a file.
#pragma once
#include <fstream>
#include <memory>
#include <mutex>

#include "core/loop/game_sink.h"
#include "core/wire/courier.h"

namespace tabula {

class CourierSink : public GameSink {
 public:
  explicit CourierSink(Courier& courier) : courier_(courier) {}
  bool accepts() override { return courier_.accepts(); }
  void deliver(const StoredGame& game) override;

 private:
  Courier& courier_;
};

class FileSink : public GameSink {
 public:
  FileSink(const std::string& file, const Rules& rules);
  bool accepts() override { return true; }
  void deliver(const StoredGame& game) override;  // adjourned games are left out
  void finish();                                  // throws Error unless all is written

 private:
  std::string name_;
  const Rules& rules_;
  std::mutex mutex_;
  std::ofstream file_;
};

// A courier with the outbox that was named, or else one in this user's state, for games of these
// rules and this store: the first that no other worker has; it is named then. What a worker that
// died left there is delivered by the next.
std::unique_ptr<Courier> make_courier(CourierConfig& config, const Rules& rules);

}  // namespace tabula
