#include <doctest/doctest.h>

#include <set>

#include "core/service/permissions.h"
#include "tests/any_message.h"

using namespace tabula;

namespace {

// Reads any bytes as the message that they say they are, and throws away what it finds.
void read_as_said(std::string_view bytes) {
  Received received(bytes);
  each_message([&]<class Message>(Message*) {
    if (received.is(Message::kType)) received.as<Message>();
  });
}

std::string change(std::string bytes, Rng& rng) {
  for (std::uint32_t left = 1 + rng.below(3); left > 0 && !bytes.empty(); --left) {
    const std::size_t at = rng.below(std::uint32_t(std::min<std::size_t>(bytes.size(), 64)));
    switch (rng.below(5)) {
      case 0:
        bytes[at] = char(rng.next());
        break;
      case 1:
        bytes[at] = char(0x90 | rng.below(0x70));
        break;  // another kind or length
      case 2:
        bytes.resize(at);
        break;
      case 3:
        bytes.insert(at, 1, char(rng.next()));
        break;
      default:
        bytes.replace(at, 1, "\xdd\xff\xff\xff\xff");
        break;  // a list of 2^32-1
    }
  }
  return bytes;
}

std::string fault_of(const std::string& bytes) {
  try {
    read_as_said(bytes);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("each message is read back as it was written") {
  Rng rng(1);
  std::set<MessageType> types;
  each_message([&]<class Message>(Message*) {
    types.insert(Message::kType);
    for (int i = 0; i < 200; ++i) {
      const Message message = any_message<Message>(rng);
      const std::string bytes = encode_message(message, 7);
      Received received(bytes);
      REQUIRE(received.is(Message::kType));
      CHECK(received.envelope().request == 7);
      CHECK(received.envelope().protocol == kProtocol);
      CHECK(encode_message(received.as<Message>(), 7) == bytes);
    }
  });
  CHECK(types.size() == std::size_t(MessageType::count) - 1);
}

TEST_CASE("messages that were tampered with are read or refused, and nothing worse") {
  Rng rng(2);
  int refused = 0;
  each_message([&]<class Message>(Message*) {
    for (int i = 0; i < 2000; ++i)
      refused += !fault_of(change(encode_message(any_message<Message>(rng), 7), rng)).empty();
  });
  CHECK(refused > 20000);
}

TEST_CASE("a message that claims more than it has is refused without taking memory for it") {
  const std::string claims[] = {"\xdd\xff\xff\xff\xff",
                                "\xdc\xff\xff",
                                "\xdb\xff\xff\xff\xff",
                                "\xc6\xff\xff\xff\xff",
                                "\x94\x01\x04\x07\xdd\xff\xff\xff\xff",
                                std::string(100000, '\x91')};
  for (const std::string& bytes : claims) CHECK(fault_of(bytes) != "");
}

TEST_CASE("a message is refused for what it has too much, too little, or of another kind") {
  const std::string good = encode_message(Fetch{"abc", 5}, 1);
  CHECK(fault_of(good) == "");
  CHECK(fault_of(good.substr(0, good.size() - 1)) ==
        "it is not msgpack, or cut short, or larger than its limits");
  CHECK(fault_of(good + "x") == "something follows its end");
  CHECK(fault_of(encode_message(Fetch{std::string("a\tb"), 5}, 1)) ==
        "a text has characters that are not printable ASCII");
  PackWriter short_one;
  short_one.begin(4);
  for (std::uint64_t x : {kProtocol, std::uint64_t(MessageType::fetch), std::uint64_t{1}})
    short_one.number(x);
  short_one.text("abc", 3);
  CHECK(fault_of(short_one.take()) == "something is missing at the end of a list");
  PackWriter unknown;
  unknown.begin(3);
  for (std::uint64_t x : {1, 250, 1}) unknown.number(x);
  CHECK(fault_of(unknown.take()) == "it is of no known type");
}

TEST_CASE("a store serves its own version of the protocol and the one before") {
  CHECK(is_served(2, 2));
  CHECK(is_served(1, 2));
  CHECK_FALSE(is_served(3, 2));
  CHECK_FALSE(is_served(0, 2));
  CHECK_FALSE(is_served(~std::uint64_t{0}, 0));
}

TEST_CASE("nobody may ask for answers, and only some may change something") {
  for (Role role : {Role::viewer, Role::worker, Role::trainer, Role::arena, Role::admin}) {
    CHECK(may(role, MessageType::read));
    CHECK_FALSE(may(role, MessageType::receipts));
    CHECK_FALSE(may(role, MessageType::champion));
    CHECK(may(role, MessageType::append) == (role == Role::worker || role == Role::admin));
    CHECK(may(role, MessageType::publish) == (role == Role::trainer || role == Role::admin));
    CHECK(may(role, MessageType::promote) == (role == Role::arena || role == Role::admin));
    CHECK(may(role, MessageType::drop) == (role == Role::admin));
  }
}
