#include "core/service/intake.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <limits>

namespace tabula {

bool Intake::take(const std::string& route, std::uint64_t request, std::vector<Arrival> arrivals,
                  std::int64_t now) {
  assert(!arrivals.empty());
  std::size_t bytes = 0;
  for (const Arrival& arrival : arrivals) bytes += arrival.bytes.size();
  if (!arrivals_.empty() && bytes_ + bytes > config_.most_bytes) return false;
  if (arrivals_.empty()) oldest_ = now;
  bytes_ += bytes;
  parts_.push_back({route, request, arrivals.size()});
  std::ranges::move(arrivals, std::back_inserter(arrivals_));
  return true;
}

std::span<const Arrival> Intake::next(std::int64_t now) {
  if (committing() || parts_.empty() || now < wake()) return {};
  std::size_t parts = 0, games = 0;  // whole messages
  while (parts < parts_.size() && (parts == 0 || games + parts_[parts].games <= config_.most_games))
    games += parts_[parts++].games;
  const auto last = arrivals_.begin() + std::ptrdiff_t(games);
  group_.assign(std::make_move_iterator(arrivals_.begin()), std::make_move_iterator(last));
  arrivals_.erase(arrivals_.begin(), last);
  group_parts_.assign(parts_.begin(), parts_.begin() + std::ptrdiff_t(parts));
  parts_.erase(parts_.begin(), parts_.begin() + std::ptrdiff_t(parts));
  for (const Arrival& arrival : group_) bytes_ -= arrival.bytes.size();
  return group_;
}

std::int64_t Intake::wake() const {
  if (parts_.empty() || committing()) return std::numeric_limits<std::int64_t>::max();
  return arrivals_.size() >= config_.group_games ? oldest_ : oldest_ + config_.group_ms;
}

std::vector<Intake::Reply> Intake::take_replies() {
  std::vector<Reply> replies;
  for (Part& part : group_parts_) replies.push_back({std::move(part.route), part.request, {}});
  return replies;
}

std::vector<Intake::Reply> Intake::committed(std::span<const Receipt> receipts) {
  assert(receipts.size() == group_.size());
  std::vector<Reply> replies = take_replies();
  std::size_t at = 0;
  for (std::size_t i = 0; i < replies.size(); ++i)
    for (std::size_t k = 0; k < group_parts_[i].games; ++k, ++at)
      replies[i].receipts.items.push_back(
          {group_[at].id, receipts[at].fate, std::move(group_[at].reason)});
  group_.clear();
  group_parts_.clear();
  return replies;
}

std::vector<Intake::Reply> Intake::failed() {
  std::vector<Reply> replies = take_replies();
  group_.clear();
  group_parts_.clear();
  return replies;
}

}  // namespace tabula
