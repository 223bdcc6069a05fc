// Requests and replies of every kind.
#include "tests/any_message.h"
#include "tests/fuzz/target.h"

namespace tabula {
namespace {

template <class Message>
void read_as(std::string_view bytes) {
  Received received(bytes);
  const Envelope envelope = received.envelope();
  const std::string written =
      encode_message(received.as<Message>(), envelope.request, envelope.protocol);
  Received again(written);
  law(again.is(Message::kType), "a message keeps its type");
  law(encode_message(again.as<Message>(), envelope.request, envelope.protocol) == written,
      "what is written is read back");
}

void read_message(std::string_view bytes) {
  const MessageType type = Received(bytes).envelope().type;
  each_message([&]<class Message>(Message*) {
    if (type == Message::kType) read_as<Message>(bytes);
  });
}

std::vector<std::string> messages(Rng& rng) {
  std::vector<std::string> seeds;
  for (int i = 0; i < 3; ++i)
    each_message([&]<class Message>(Message*) {
      seeds.push_back(encode_message(any_message<Message>(rng), rng.next() >> rng.below(64)));
    });
  return seeds;
}

const Registered registered({"message", read_message, messages});

}  // namespace
}  // namespace tabula
