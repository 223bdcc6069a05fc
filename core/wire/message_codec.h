// Messages as bytes.
#pragma once
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/data/pack.h"
#include "core/wire/messages.h"

namespace tabula {

struct Envelope {
  std::uint64_t protocol = 0;
  MessageType type = MessageType::refused;
  std::uint64_t request = 0;
};

constexpr std::size_t kEnvelopeFields = 3;

template <class Message>
std::string encode_message(const Message& message, std::uint64_t request,
                           std::uint64_t protocol = kProtocol) {
  FieldCounter counter;
  Message::fields(counter, message);
  SizeCounter size;
  Message::fields(size, message);
  PackWriter out(size.total);
  out.begin(kEnvelopeFields + counter.count);
  out.number(protocol);
  out.number(std::uint64_t(Message::kType));
  out.number(request);
  Message::fields(out, message);
  return out.take();
}

// A message that was received: first who and what, then its fields. Throws Error, with a clause.
// requires: the bytes outlive it
class Received {
 public:
  explicit Received(std::string_view bytes) : in_(bytes) {
    in_.begin(kEnvelopeFields + 64);
    in_.number(envelope_.protocol);
    std::uint64_t type = 0;
    in_.number(type);
    in_.number(envelope_.request);
    if (type < 1 || type >= std::uint64_t(MessageType::count))
      throw Error("it is of no known type");
    envelope_.type = MessageType(type);
  }

  const Envelope& envelope() const { return envelope_; }
  bool is(MessageType type) const { return envelope_.type == type; }

  // Once. requires: is(Message::kType)
  template <class Message>
  Message as() {
    Message message;
    Message::fields(in_, message);
    in_.end();
    check(message);
    return message;
  }

 private:
  static void check(const auto&) {}
  static void check(const Receipts& receipts) {
    for (const Receipts::Item& item : receipts.items)
      if (item.fate > Fate::refused) throw Error("a game has no known fate");
  }
  static void check(const Page& page) {
    for (const LogEntry& entry : page.page.entries)
      if (entry.kind > LogEntry::Kind::drop) throw Error("an entry is of no known kind");
  }

  PackReader in_;
  Envelope envelope_;
};

}  // namespace tabula
