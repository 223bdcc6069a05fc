#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/data/rows.h"
#include "core/wire/messages.h"

namespace tabula {

struct IntakeConfig {
  std::size_t group_games = 64;                    // a group is committed when it has so many,
  std::int64_t group_ms = 20;                      // or when its first game has waited so long
  std::size_t most_games = 512;                    // in one group, where more have come meanwhile
  std::size_t most_bytes = std::size_t{64} << 20;  // that wait; more is asked to come later
};

// The store's half of the delivery: collects what comes into groups for one commit each, and says
// who is to be told afterwards. No clock, no socket, no disk: the caller tells the time, in
// milliseconds, and commits. What it holds may be lost at any moment: nobody was told anything.
class Intake {
 public:
  explicit Intake(const IntakeConfig& config = {}) : config_(config) {}

  // False: there is no room, the sender must come again later. requires: at least one game
  bool take(const std::string& route, std::uint64_t request, std::vector<Arrival> arrivals,
            std::int64_t now);
  // The next group, or nothing: it is not yet time, or one is being committed.
  std::span<const Arrival> next(std::int64_t now);
  // When next() should be asked again, if nothing happens before; far away for never.
  std::int64_t wake() const;

  struct Reply {
    std::string route;
    std::uint64_t request = 0;
    Receipts receipts;
  };
  // The group is on the disk: what its senders are to be told.
  std::vector<Reply> committed(std::span<const Receipt> receipts);
  // It is not: the same without receipts. They send it again.
  std::vector<Reply> failed();

  bool committing() const { return !group_.empty(); }
  std::size_t waiting() const { return arrivals_.size(); }

 private:
  struct Part {
    std::string route;
    std::uint64_t request = 0;
    std::size_t games = 0;
  };
  std::vector<Reply> take_replies();

  IntakeConfig config_;
  std::vector<Arrival> arrivals_, group_;  // waiting; being committed
  std::vector<Part> parts_, group_parts_;
  std::size_t bytes_ = 0;    // of arrivals_
  std::int64_t oldest_ = 0;  // when the first of arrivals_ came
};

}  // namespace tabula
