#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "core/wire/client_socket.h"
#include "core/wire/messages.h"

namespace tabula {

// Reads a store's log from a sequence number on, page by page and for ever: what a trainer does.
// The next pages are on their way while one is used. One thread, but for wake().
class Follower {
 public:
  Follower(const std::string& address, const std::optional<ClientKeys>& keys, std::uint64_t after)
      : socket_(address, keys), cursor_(after) {}

  // The next page that has something to tell, or nothing after that time, or on wake(). Throws
  // Error if the store refuses to be read.
  std::optional<LogPage> next(std::int64_t wait_ms);
  std::uint64_t cursor() const { return cursor_; }  // all before it was returned by next()
  std::int64_t silent_ms() const;                   // since the store last answered
  void wake() { socket_.wake(); }

 private:
  void ask(std::int64_t now);
  std::optional<LogPage> take(const std::string& bytes);

  ClientSocket socket_;
  std::uint64_t cursor_, request_ = 0;
  bool asked_ = false;
  std::int64_t ask_again_ = 0, heard_ = 0;
};

}  // namespace tabula
