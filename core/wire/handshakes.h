#pragma once
#include <optional>
#include <string>
#include <zmq.hpp>

namespace tabula {

// Why connections of a socket failed before a word was said: keys that are missing or not known.
// The socket's own thread only.
class Handshakes {
 public:
  Handshakes() = default;
  // From now on. A server also counts who left before it was let in: a client without a key may
  // notice first that one is wanted.
  void watch(zmq::context_t& context, zmq::socket_t& socket, bool server);
  // The next failure, if there was one: "no key", "an unknown key", "the key of another store".
  std::optional<std::string> failed();

 private:
  zmq::socket_t events_;
};

}  // namespace tabula
