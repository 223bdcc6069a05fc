#pragma once
#include <thread>
#include <zmq.hpp>

#include "core/wire/accounts.h"

namespace tabula {

// Answers ZeroMQ's question (ZAP, RFC 27) whether a client with this key may come in; without an
// answer it would let everybody in. A thread, until the context is shut down.
class Doorman {
 public:
  Doorman(zmq::context_t& context, Accounts& accounts);
  ~Doorman() { thread_.join(); }  // requires: the context is shut down

 private:
  void answer(zmq::socket_t& socket, Accounts& accounts);
  std::thread thread_;
};

}  // namespace tabula
