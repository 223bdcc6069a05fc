#include "core/wire/client.h"

#include <algorithm>

#include "core/base/clock.h"

namespace tabula {
namespace {

constexpr std::int64_t kAgainMs = 3000;

// Whether these bytes answer for good. What cannot be read is no answer.
bool answers(const std::string& bytes, std::uint64_t number, bool last) {
  try {
    Received received(bytes);
    if (received.envelope().request != number) return false;
    return last || !received.is(MessageType::refused) || !received.as<Refused>().later;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::string Client::answer(const std::string& request, std::uint64_t number,
                           std::int64_t patience_ms) {
  const std::int64_t end = clock_ms() + patience_ms;
  std::string later;  // the store's last word, if it was that it cannot do it now
  for (std::int64_t now = clock_ms(); now < end && !awake_; now = clock_ms()) {
    socket_.send(request);
    const std::int64_t again = std::min(end, now + kAgainMs);
    while ((now = clock_ms()) < again && !awake_) {
      const std::optional<std::string> bytes = socket_.receive(again - now);
      if (!bytes) continue;
      if (answers(*bytes, number, false)) return *bytes;
      if (answers(*bytes, number, true)) later = *bytes;
    }
  }
  awake_ = false;
  if (!later.empty()) return later;
  if (const std::optional<std::string> with = socket_.refused())
    throw NotLetIn("the store at " + address_ + " does not let this client in: it came with " +
                   *with + "; --key FILE gives one that the store knows.");
  throw NoAnswer("the store at " + address_ +
                 " does not answer; is it running, and is the address right?");
}

void Client::throw_refusal(const Refused& refused) const {
  const std::string sentence = "the store at " + address_ + " says: " + refused.sentence;
  if (refused.later) throw NoAnswer(sentence);
  throw RefusedByStore(sentence);
}

void Client::wake() {
  awake_ = true;
  socket_.wake();
}

}  // namespace tabula
