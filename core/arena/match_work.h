#pragma once
#include <deque>
#include <set>
#include <vector>

#include "core/arena/match_settings.h"
#include "core/arena/store_link.h"

namespace tabula {

// One arena's part in an open match: borrows slots, plays them, reports them, and sees how the
// match stands. While the store is away it plays on with what it has.
class MatchWork {
 public:
  // players: the candidate and the champion. They outlive this. openings: one for each slot
  MatchWork(const Rules& rules, ArenaStore& store, const MatchRow& match,
            const MatchSettings& settings, std::vector<MoveList> openings,
            std::span<Player> players, int pairs_at_once, std::int64_t lease_seconds);

  // One round of all games under way. False: there is nothing to play now.
  bool round();
  void report();        // what is finished. Throws StoreAway; then it is kept.
  Standing standing();  // throws StoreAway
  void abandon() { group_.abandon(); }
  std::uint32_t played() const { return played_; }  // pairs, by this one
  std::uint64_t number() const { return match_.number; }
  const MatchRow& match() const { return match_; }
  const MatchSettings& settings() const { return settings_; }

 private:
  std::optional<PairTicket> next();
  std::optional<std::uint32_t> borrow();

  ArenaStore& store_;
  MatchRow match_;
  MatchSettings settings_;
  std::vector<MoveList> openings_;
  std::int64_t lease_seconds_;
  std::int64_t ask_again_ = 0;       // not before this time
  std::set<std::uint32_t> playing_;  // slots
  std::deque<PairResult> finished_;  // to be reported
  std::uint32_t played_ = 0;
  PairGroup group_;
};

}  // namespace tabula
