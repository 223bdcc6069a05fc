// What our sockets share.
#pragma once
#include <sys/eventfd.h>
#include <unistd.h>

#include <string>
#include <zmq.hpp>

#include "core/base/error.h"
#include "core/wire/messages.h"

namespace tabula {

constexpr int kQueued = 64;  // messages each way for one peer

inline void set_common(zmq::socket_t& socket) {
  socket.set(zmq::sockopt::linger, 0);
  socket.set(zmq::sockopt::maxmsgsize, std::int64_t(kMaxMessage));
  socket.set(zmq::sockopt::sndhwm, kQueued);
  socket.set(zmq::sockopt::rcvhwm, kQueued);
}

// A message that takes the bytes over instead of copying them.
inline zmq::message_t message_of(std::string bytes) {
  auto* owned = new std::string(std::move(bytes));
  return {owned->data(), owned->size(),
          [](void*, void* hint) { delete static_cast<std::string*>(hint); }, owned};
}

// Another thread's way to end a wait.
class Waker {
 public:
  Waker() : event_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
    if (event_ < 0) throw Error("the system has no more files to give (see ulimit -n).");
  }
  ~Waker() { close(event_); }
  Waker(const Waker&) = delete;
  Waker& operator=(const Waker&) = delete;

  void wake() const {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = write(event_, &one, sizeof one);
  }
  // Returns when the socket has a message, somebody called wake(), or the time is over.
  void wait(zmq::socket_t& socket, std::int64_t ms) const {
    zmq_pollitem_t items[] = {{socket.handle(), 0, ZMQ_POLLIN, 0},
                              {nullptr, event_, ZMQ_POLLIN, 0}};
    if (zmq_poll(items, 2, long(ms)) > 0 && items[1].revents) {
      std::uint64_t count = 0;
      [[maybe_unused]] const auto got = read(event_, &count, sizeof count);
    }
  }

 private:
  int event_;
};

}  // namespace tabula
