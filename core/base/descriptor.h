#pragma once
#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>
#include <utility>

namespace tabula {

// Why a call of the system failed, as a clause.
std::string reason_of(int code);
bool means_full(int code);  // the disk is full, or this user's or this file's share of it

// Calls until the answer is not "interrupted by a signal".
template <class Call>
auto retried(Call call) {
  auto answer = call();
  while (answer < 0 && errno == EINTR) answer = call();
  return answer;
}

// An open file, closed when this goes.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    close();
    number_ = std::exchange(other.number_, -1);
    return *this;
  }

  int number() const { return number_; }
  bool open() const { return number_ >= 0; }
  bool close() { return !open() || ::close(std::exchange(number_, -1)) == 0; }

  // All of it, or false with errno set.
  bool write(std::string_view bytes) const;

 private:
  int number_;
};

}  // namespace tabula
