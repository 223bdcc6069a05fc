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
  void watch(zmq::context_t& context, zmq::socket_t& socket);  // from now on
  // The next failure, if there was one: "no key", "an unknown key", "the key of another store". Who
  // is the second to notice that a key is missing sees no more than that the other left: "no key
  // that fits".
  std::optional<std::string> failed();

 private:
  zmq::socket_t events_;
};

}  // namespace tabula
