#include "core/wire/client_socket.h"

#include "core/wire/handshakes.h"
#include "core/wire/zmq_setup.h"

namespace tabula {
namespace {

constexpr int kReconnectMs = 100, kLongestReconnectMs = 5000;
constexpr int kHeartbeatMs = 5000, kSilenceMs = 20000;

zmq::const_buffer buffer(const Key& key) { return zmq::buffer(key.data(), key.size()); }

}  // namespace

struct SocketThread::Impl {
  zmq::context_t context{1};
};

SocketThread::SocketThread(int sockets) : impl_(std::make_unique<Impl>()) {
  constexpr int kWatching = 2;  // sockets, for one whose handshakes are watched
  zmq_ctx_set(impl_->context.handle(), ZMQ_MAX_SOCKETS, sockets + kWatching);
}
SocketThread::~SocketThread() = default;

struct ClientSocket::Impl {
  std::shared_ptr<SocketThread> thread;
  zmq::socket_t socket;
  Handshakes handshakes{};
  Waker waker{};
  ~Impl() {
    handshakes = {};
    socket.close();
  }
};

ClientSocket::ClientSocket(const std::string& address, const std::optional<ClientKeys>& keys,
                           std::shared_ptr<SocketThread> thread) {
  const bool own = !thread;
  if (own) thread = std::make_shared<SocketThread>();
  zmq::socket_t dealer(thread->impl_->context, zmq::socket_type::dealer);
  impl_.reset(new Impl{std::move(thread), std::move(dealer)});
  zmq::socket_t& socket = impl_->socket;
  set_common(socket);
  if (own) impl_->handshakes.watch(impl_->thread->impl_->context, socket);
  socket.set(zmq::sockopt::ipv6, true);
  socket.set(zmq::sockopt::heartbeat_ivl, kHeartbeatMs);
  socket.set(zmq::sockopt::heartbeat_timeout, kSilenceMs);
  socket.set(zmq::sockopt::reconnect_ivl, kReconnectMs);
  socket.set(zmq::sockopt::reconnect_ivl_max, kLongestReconnectMs);
  if (keys) {
    socket.set(zmq::sockopt::curve_serverkey, buffer(keys->store));
    socket.set(zmq::sockopt::curve_publickey, buffer(keys->curve.open));
    socket.set(zmq::sockopt::curve_secretkey, buffer(keys->curve.secret));
  }
  try {
    socket.connect(address);
  } catch (const zmq::error_t&) {
    throw Error("'" + address + "' is no address of a store; one is like " + kDefaultAddress +
                " or ipc:///run/tabula.ipc.");
  }
}

ClientSocket::~ClientSocket() = default;

bool ClientSocket::send(std::string bytes) {
  zmq::message_t message = message_of(std::move(bytes));
  return impl_->socket.send(message, zmq::send_flags::dontwait).has_value();
}

std::optional<std::string> ClientSocket::receive(std::int64_t wait_ms) {
  zmq::message_t message;
  for (bool waited = false;; waited = true) {
    if (impl_->socket.recv(message, zmq::recv_flags::dontwait)) return message.to_string();
    if (waited || wait_ms <= 0) return {};
    impl_->waker.wait(impl_->socket, wait_ms);
  }
}

void ClientSocket::wake() { impl_->waker.wake(); }

std::optional<std::string> ClientSocket::refused() {
  std::optional<std::string> last;
  while (std::optional<std::string> failed = impl_->handshakes.failed()) last = failed;
  return last;
}

}  // namespace tabula
