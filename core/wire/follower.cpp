#include "core/wire/follower.h"

#include <algorithm>

#include "core/base/clock.h"
#include "core/base/error.h"
#include "core/wire/message_codec.h"

namespace tabula {
namespace {

constexpr std::int64_t kLongPollMs = 1000, kAgainMs = 3000, kRefusedMs = 1000;

}  // namespace

void Follower::ask(std::int64_t now) {
  const Read read{
      .after = cursor_, .max_bytes = kMaxPage, .wait_ms = kLongPollMs, .pages = kMaxPages};
  socket_.send(encode_message(read, ++request_));
  asked_ = true;
  ask_again_ = now + kAgainMs;
}

// Pages of an earlier request are not in the order of this one.
std::optional<LogPage> Follower::take(const std::string& bytes) {
  Received received(bytes);
  if (received.envelope().request != request_) return {};
  heard_ = clock_ms();
  if (received.is(MessageType::refused)) {
    const Refused refused = received.as<Refused>();
    if (!refused.later) throw Error("the store says: " + refused.sentence);
    ask_again_ = heard_ + kRefusedMs;
    return {};
  }
  Page page = received.as<Page>();
  asked_ = page.more;
  ask_again_ = heard_ + kAgainMs;
  cursor_ = page.page.next;
  const bool tells = !page.page.entries.empty() || page.page.missed > 0 || page.page.damaged > 0;
  return tells ? std::optional(std::move(page.page)) : std::nullopt;
}

std::optional<LogPage> Follower::next(std::int64_t wait_ms) {
  const std::int64_t began = clock_ms(), end = began + wait_ms;
  if (heard_ == 0) heard_ = began;
  for (std::int64_t now = began;; now = clock_ms()) {
    if (!asked_ || now >= ask_again_) ask(now);
    const std::int64_t wait = std::max<std::int64_t>(0, std::min(end, ask_again_) - now);
    const std::optional<std::string> bytes = socket_.receive(wait);
    if (bytes)
      if (std::optional<LogPage> page = take(*bytes)) {
        if (!asked_) ask(clock_ms());  // on its way while the caller is busy
        return page;
      }
    if (!bytes && (clock_ms() >= end || clock_ms() < now + wait)) return {};  // late, or woken
  }
}

std::int64_t Follower::silent_ms() const { return heard_ == 0 ? 0 : clock_ms() - heard_; }

}  // namespace tabula
