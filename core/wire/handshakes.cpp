#include "core/wire/handshakes.h"

#include <cstring>

namespace tabula {
namespace {

constexpr int kFailures = ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH |
                          ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL;

}  // namespace

void Handshakes::watch(zmq::context_t& context, zmq::socket_t& socket) {
  constexpr const char* address = "inproc://handshakes";
  if (zmq_socket_monitor(socket.handle(), address, kFailures) != 0) throw zmq::error_t();
  events_ = zmq::socket_t(context, zmq::socket_type::pair);
  events_.set(zmq::sockopt::linger, 0);
  events_.connect(address);
}

std::optional<std::string> Handshakes::failed() {
  zmq::message_t event, address;
  while (events_ && events_.recv(event, zmq::recv_flags::dontwait)) {
    if (event.more() && !events_.recv(address, zmq::recv_flags::none)) return {};
    std::uint16_t kind = 0;
    std::uint32_t value = 0;
    if (event.size() < sizeof kind + sizeof value) continue;
    std::memcpy(&kind, event.data(), sizeof kind);
    std::memcpy(&value, event.data<char>() + sizeof kind, sizeof value);
    if (kind == ZMQ_EVENT_HANDSHAKE_FAILED_AUTH) return "an unknown key";
    if (kind == ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL) return "no key that fits";
    if (value == ZMQ_PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH) return "no key";
    if (value == ZMQ_PROTOCOL_ERROR_ZMTP_CRYPTOGRAPHIC) return "the key of another store";
  }
  return {};
}

}  // namespace tabula
