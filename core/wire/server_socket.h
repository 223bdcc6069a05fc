#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tabula {

struct Incoming {
  std::string route;    // where the reply goes
  std::string account;  // from the client's key; "local" where there are no keys
  std::string bytes;
};

// Where clients come in: a ROUTER, with a doorman where there are keys. One thread, but for wake().
class ServerSocket {
 public:
  // `keys`: a folder of them, or empty for none. Throws Error if an address cannot be listened at.
  ServerSocket(const std::vector<std::string>& addresses, const std::filesystem::path& keys);
  ~ServerSocket();

  std::vector<std::string> addresses() const;  // with the ports that were given for port 0

  std::optional<Incoming> receive();  // what is there already
  // Lost if the client is gone, or does not take what it asked for: it asks again.
  void send(const std::string& route, std::string bytes);
  void wait(std::int64_t ms);  // for a message, or wake()
  void wake();                 // from any thread
  // With what the next of those came who were not let in: "no key", "an unknown key".
  std::optional<std::string> refused();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Only this machine can reach it.
bool is_local(const std::string& address);

}  // namespace tabula
