#pragma once
#include <atomic>
#include <string>

#include "core/base/error.h"
#include "core/wire/client_socket.h"
#include "core/wire/message_codec.h"

namespace tabula {

// The store does not do what was asked, and says why.
class RefusedByStore : public Error {
  using Error::Error;
};

// No answer came in time, or one that the store cannot do it now: the same may be asked again.
class NoAnswer : public Error {
  using Error::Error;
};

// The store does not know this client's key, or that it has one.
class NotLetIn : public Error {
  using Error::Error;
};

// Asks a store and waits for the answer; asks again while none comes, so a request may be carried
// out twice. One thread, but for wake().
class Client {
 public:
  Client(const std::string& address, const std::optional<ClientKeys>& keys)
      : address_(address), socket_(address, keys) {}

  // Throws RefusedByStore with the store's sentence, or NoAnswer.
  template <class Reply, class Request>
  Reply ask(const Request& request, std::int64_t patience_ms = 15000) {
    const std::uint64_t number = ++requests_;
    const std::string bytes = answer(encode_message(request, number), number, patience_ms);
    Received received(bytes);
    if (received.is(MessageType::refused)) throw_refusal(received.as<Refused>());
    if (!received.is(Reply::kType))
      throw Error("the store at " + address_ + " gave another answer.");
    return received.as<Reply>();
  }
  // Whoever waits in ask() stops waiting, and it throws.
  void wake();

 private:
  std::string answer(const std::string& request, std::uint64_t number, std::int64_t patience_ms);
  [[noreturn]] void throw_refusal(const Refused& refused) const;

  std::string address_;
  ClientSocket socket_;
  std::uint64_t requests_ = 0;
  std::atomic<bool> awake_ = false;
};

}  // namespace tabula
