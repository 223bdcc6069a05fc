#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/wire/keys.h"

namespace tabula {

constexpr const char* kDefaultAddress = "tcp://127.0.0.1:7710";

// The thread behind sockets. A socket has its own, unless it is given one that several share.
class SocketThread {
 public:
  explicit SocketThread(int sockets = 1);  // at most
  ~SocketThread();

 private:
  friend class ClientSocket;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// A way to a store: connects by itself, and again, for ever. What is sent may be lost, what comes
// may come twice. One thread, but for wake().
class ClientSocket {
 public:
  // Throws Error if that is no address, or if the keys are missing or of no use there.
  ClientSocket(const std::string& address, const std::optional<ClientKeys>& keys,
               std::shared_ptr<SocketThread> thread = nullptr);
  ~ClientSocket();

  // False if more is under way than the link takes.
  bool send(std::string bytes);
  std::optional<std::string> receive(std::int64_t wait_ms);  // nothing after that, or on wake()
  void wake();                                               // from any thread
  // With what this client came, if the store let it in never yet or not any more: "no key". Only of
  // sockets with a thread of their own.
  std::optional<std::string> refused();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tabula
