#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace tabula {

// Who writes a database: a lock on PATH.lock, never on the database, for as long as this lives. The
// file says host, process and the address to reach the owner at. Throws Error, one sentence that
// says what to do instead, if somebody else holds it, or if the folder is on a network file system,
// where locks and SQLite cannot be trusted (unless $TABULA_NETWORK_DISK is 1).
class Ownership {
 public:
  explicit Ownership(const std::filesystem::path& database);
  ~Ownership();
  Ownership(const Ownership&) = delete;
  Ownership& operator=(const Ownership&) = delete;

  void say_address(const std::string& address);  // durably readable by others from now on

 private:
  int lock_;
  std::filesystem::path file_;
};

struct Owner {
  std::string host;
  long process = 0;
  std::string address;  // empty: not yet known
};
// Whoever holds it now, or nothing.
std::optional<Owner> owner_of(const std::filesystem::path& database);

}  // namespace tabula
