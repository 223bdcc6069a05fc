#include "core/store/ownership.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

#include "core/store/durable.h"
#include "core/store/errors.h"
#include "core/store/network_disk.h"

namespace tabula {
namespace {

namespace fs = std::filesystem;

fs::path lock_of(const fs::path& database) { return database.string() + ".lock"; }

// A lock that belongs to the open file, not to the process, and that others can ask about without
// taking it.
struct flock whole_file() {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "?";
}

std::string described(const Owner& owner) {
  return "process " + std::to_string(owner.process) + " on " +
         (owner.host.empty() ? "?" : owner.host) +
         (owner.address.empty() ? "" : ", at " + owner.address);
}

[[noreturn]] void refuse_taken(const fs::path& database) {
  const Owner owner = owner_of(database).value_or(Owner());
  const std::string address = owner.address.empty() ? "tcp://HOST:PORT" : owner.address;
  throw Error(database.string() + ": it is in use by " + described(owner) + "; connect to " +
              address + " instead, or stop that process.");
}

// A site may vouch for its file system: where no other machine opens the database, only flushes and
// locks that work are needed.
void refuse_network_disk(const fs::path& database) {
  const fs::path folder = fs::absolute(database).parent_path();
  const char* allowed = std::getenv("TABULA_NETWORK_DISK");
  if (allowed && std::string_view(allowed) == "1") return;
  if (const std::string kind = network_disk(folder); !kind.empty())
    throw Error(database.string() + ": it is on a network file system (" + kind +
                "), where locks cannot be trusted; run the store on the machine that has the disk "
                "and connect to it by tcp://HOST:PORT (or see TABULA_NETWORK_DISK in "
                "docs/store.md).");
}

}  // namespace

Ownership::Ownership(const fs::path& database) : file_(lock_of(database)) {
  refuse_network_disk(database);
  lock_ = open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock_ < 0 && errno == ENOENT)
    throw Error(database.string() + ": there is no folder " +
                fs::absolute(database).parent_path().string() + ".");
  if (lock_ < 0) fail_on(file_, "opening");
  struct flock lock = whole_file();
  if (fcntl(lock_, F_OFD_SETLK, &lock) != 0) {
    const int code = errno;
    close(lock_);
    if (code == EAGAIN || code == EACCES) refuse_taken(database);
    errno = code;
    fail_on(file_, "locking");
  }
  try {
    say_address("");
  } catch (...) {
    close(lock_);
    throw;
  }
}

Ownership::~Ownership() { close(lock_); }

// One write of few bytes, over the old ones: whoever reads finds the lines of the one or the other.
void Ownership::say_address(const std::string& address) {
  std::string text = "host " + host_name() + "\nprocess " + std::to_string(getpid()) +
                     "\naddress " + address + "\n";
  if (pwrite(lock_, text.data(), text.size(), 0) != ssize_t(text.size()) ||
      ftruncate(lock_, off_t(text.size())) != 0)
    fail_on(file_, "writing");
  if (fsync(lock_) != 0) throw FlushFailed(file_.string() + ": the disk failed to take it.");
}

std::optional<Owner> owner_of(const fs::path& database) {
  const fs::path file = lock_of(database);
  const int number = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (number < 0 && errno == ENOENT) return {};
  if (number < 0) fail_on(file, "opening");
  struct flock lock = whole_file();
  lock.l_type = F_RDLCK;  // what a file that is open for reading may ask about
  const bool asked = fcntl(number, F_OFD_GETLK, &lock) == 0;
  close(number);
  if (!asked) fail_on(file, "asking about its lock");
  if (lock.l_type == F_UNLCK) return {};
  Owner owner;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const std::string word = line.substr(0, line.find(' ')), rest = line.substr(line.find(' ') + 1);
    if (word == "host") owner.host = rest;
    if (word == "process") owner.process = std::atol(rest.c_str());
    if (word == "address") owner.address = rest;
  }
  return owner;
}

}  // namespace tabula
