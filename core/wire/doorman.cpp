#include "core/wire/doorman.h"

#include <cstring>

namespace tabula {

Doorman::Doorman(zmq::context_t& context, Accounts& accounts) {
  zmq::socket_t socket(context, zmq::socket_type::rep);
  socket.set(zmq::sockopt::linger, 0);
  socket.bind("inproc://zeromq.zap.01");
  thread_ = std::thread([this, &accounts, bound = std::move(socket)]() mutable {
    try {
      for (;;) answer(bound, accounts);
    } catch (const zmq::error_t&) {  // the context was shut down
    }
  });
}

// version, request, domain, address, identity, mechanism, key -> version, request, status, text,
// user, metadata
void Doorman::answer(zmq::socket_t& socket, Accounts& accounts) {
  std::vector<zmq::message_t> asked;
  do {
    asked.emplace_back();
    if (!socket.recv(asked.back())) throw zmq::error_t();
  } while (asked.back().more());
  std::optional<Account> account;
  Key open;
  if (asked.size() == 7 && asked[5].to_string_view() == "CURVE" && asked[6].size() == open.size()) {
    std::memcpy(open.data(), asked[6].data(), open.size());
    account = accounts.by_key(open);
  }
  const std::string request = asked.size() > 1 ? asked[1].to_string() : "";
  const std::string parts[] = {"1.0",
                               request,
                               account ? "200" : "400",
                               account ? "OK" : "unknown key",
                               account ? account->name : "",
                               ""};
  for (std::size_t i = 0; i < std::size(parts); ++i)
    socket.send(zmq::buffer(parts[i]),
                i + 1 < std::size(parts) ? zmq::send_flags::sndmore : zmq::send_flags::none);
}

}  // namespace tabula
