#include "core/arena/match_work.h"

#include "core/base/clock.h"
#include "core/base/log.h"

namespace tabula {
namespace {

constexpr std::int64_t kNoneFreeMs = 1000;  // all slots are lent
constexpr std::int64_t kAwayMs = 3000;
constexpr std::int64_t kPatienceMs = 3000;

}  // namespace

MatchWork::MatchWork(const Rules& rules, ArenaStore& store, const MatchRow& match,
                     const MatchSettings& settings, std::vector<MoveList> openings,
                     std::span<Player> players, int pairs_at_once, std::int64_t lease_seconds)
    : store_(store),
      match_(match),
      settings_(settings),
      openings_(std::move(openings)),
      lease_seconds_(lease_seconds),
      group_(
          rules, players, pairs_at_once, 0, [this] { return next(); },
          [this](const PairResult& result) {
            playing_.erase(result.number);
            finished_.push_back(result);
            ++played_;
          }) {}

bool MatchWork::round() { return group_.round(); }

std::optional<PairTicket> MatchWork::next() {
  if (clock_ms() < ask_again_) return {};
  try {
    if (const std::optional<std::uint32_t> slot = borrow()) {
      playing_.insert(*slot);
      return PairTicket{*slot, 0, 1, pair_seed(settings_.seed, *slot), openings_[*slot]};
    }
    ask_again_ = clock_ms() + kNoneFreeMs;
  } catch (const StoreAway&) {
    ask_again_ = clock_ms() + kAwayMs;
  }
  return {};
}

// A slot that is lent again because its time was over may be one that is played here: then its
// lease has just been renewed.
std::optional<std::uint32_t> MatchWork::borrow() {
  for (std::size_t asked = 0; asked <= playing_.size(); ++asked) {
    const auto lent =
        store_.ask<LentSlot>(AskSlot{match_.number, std::uint64_t(lease_seconds_)}, kPatienceMs);
    if (!lent.lent || lent.slot >= openings_.size()) return {};
    if (!playing_.contains(lent.slot)) return lent.slot;
  }
  return {};
}

void MatchWork::report() {
  for (; !finished_.empty(); finished_.pop_front()) try {
      store_.ask<Done>(
          ReportSlot{match_.number, finished_.front().number, report_text(finished_.front())},
          kPatienceMs);
    } catch (const RefusedByStore& refused) {
      log("a report was refused", {{"reason", refused.what()}});
    }
}

Standing MatchWork::standing() {
  const auto reports = store_.ask<ReportList>(Reports{match_.number}, kPatienceMs);
  return standing_of(reports.slots, match_.slots, settings_);
}

}  // namespace tabula
