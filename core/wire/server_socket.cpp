#include "core/wire/server_socket.h"

#include <sys/resource.h>

#include "core/wire/doorman.h"
#include "core/wire/handshakes.h"
#include "core/wire/zmq_setup.h"

namespace tabula {
namespace {

constexpr int kBacklog = 4096;  // connections that wait to be taken
constexpr int kIoThreads = 2;   // encryption is done there
constexpr int kMaxConnections = 60000;

// A connection is an open file.
void raise_file_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

// The kernel looks after clients that are gone without a word. ZeroMQ's heartbeats would look
// through the timers of all clients for each message of one: with thousands of clients the threads
// did nothing else. (Clients have them: a store that is silent must be noticed by its workers.)
void set_keepalive(zmq::socket_t& socket) {
  constexpr int kIdleSeconds = 20, kBetweenSeconds = 5, kTimes = 4;
  socket.set(zmq::sockopt::tcp_keepalive, 1);
  socket.set(zmq::sockopt::tcp_keepalive_idle, kIdleSeconds);
  socket.set(zmq::sockopt::tcp_keepalive_intvl, kBetweenSeconds);
  socket.set(zmq::sockopt::tcp_keepalive_cnt, kTimes);
}

}  // namespace

struct ServerSocket::Impl {
  zmq::context_t context{kIoThreads};
  std::optional<Accounts> accounts;
  std::optional<Doorman> doorman;
  zmq::socket_t socket;
  Handshakes handshakes;
  Waker waker;
  std::vector<std::string> addresses;

  ~Impl() {
    handshakes = {};
    socket.close();
    context.shutdown();
    doorman.reset();
  }
};

ServerSocket::ServerSocket(const std::vector<std::string>& addresses,
                           const std::filesystem::path& keys)
    : impl_(std::make_unique<Impl>()) {
  raise_file_limit();
  zmq_ctx_set(impl_->context.handle(), ZMQ_MAX_SOCKETS, kMaxConnections);
  if (!keys.empty()) {
    impl_->accounts.emplace(keys);
    impl_->doorman.emplace(impl_->context, *impl_->accounts);
  }
  impl_->socket = zmq::socket_t(impl_->context, zmq::socket_type::router);
  zmq::socket_t& socket = impl_->socket;
  set_common(socket);
  set_keepalive(socket);
  socket.set(zmq::sockopt::backlog, kBacklog);
  if (!keys.empty()) {
    const StoreKeys store = read_store_keys(keys);
    socket.set(zmq::sockopt::zap_domain, "tabula");
    socket.set(zmq::sockopt::curve_server, true);
    socket.set(zmq::sockopt::curve_secretkey,
               zmq::buffer(store.curve.secret.data(), store.curve.secret.size()));
    impl_->handshakes.watch(impl_->context, socket);
  }
  for (const std::string& address : addresses) {
    socket.set(zmq::sockopt::ipv6, address.find_first_of("[*") != address.npos);
    try {
      socket.bind(address);
    } catch (const zmq::error_t& e) {
      throw Error("cannot listen at " + address + ": " + e.what() +
                  (e.num() == EADDRINUSE ? "; another store may run there, see --listen." : "."));
    }
    impl_->addresses.push_back(socket.get(zmq::sockopt::last_endpoint));
  }
}

ServerSocket::~ServerSocket() = default;

std::vector<std::string> ServerSocket::addresses() const { return impl_->addresses; }

std::optional<Incoming> ServerSocket::receive() {
  zmq::message_t route, bytes;
  while (impl_->socket.recv(route, zmq::recv_flags::dontwait)) {
    int parts = 1;
    for (bool more = route.more(); more; more = bytes.more(), ++parts)
      if (!impl_->socket.recv(bytes, zmq::recv_flags::none)) return {};
    if (parts != 2) continue;  // no client of ours
    const char* account = zmq_msg_gets(bytes.handle(), "User-Id");
    return Incoming{route.to_string(), account && *account ? account : "local", bytes.to_string()};
  }
  return {};
}

void ServerSocket::send(const std::string& route, std::string bytes) {
  // Both parts, or none: a ROUTER drops what its peer does not take.
  zmq::message_t to(route.data(), route.size()), message = message_of(std::move(bytes));
  try {
    if (impl_->socket.send(to, zmq::send_flags::sndmore | zmq::send_flags::dontwait))
      impl_->socket.send(message, zmq::send_flags::dontwait);
  } catch (const zmq::error_t& e) {
    if (e.num() != EHOSTUNREACH) throw;
  }
}

void ServerSocket::wait(std::int64_t ms) { impl_->waker.wait(impl_->socket, ms); }
void ServerSocket::wake() { impl_->waker.wake(); }
std::optional<std::string> ServerSocket::refused() { return impl_->handshakes.failed(); }

bool is_local(const std::string& address) {
  if (address.starts_with("ipc://") || address.starts_with("inproc://")) return true;
  for (const char* host : {"tcp://127.", "tcp://localhost:", "tcp://[::1]:"})
    if (address.starts_with(host)) return true;
  return false;
}

}  // namespace tabula
