// Runs a piece of a test in a child process, where it may lower limits, change users or be killed.
#pragma once
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <exception>
#include <string>

namespace tabula {

// What `act` returns or throws in the child, as text. requires: less than a pipe holds (64 KiB)
template <class Act>
std::string in_child(Act act) {
  int ends[2];
  if (pipe(ends) != 0) return "(no pipe)";
  const pid_t child = fork();
  if (child == 0) {
    std::string said;
    try {
      said = act();
    } catch (const std::exception& e) {
      said = e.what();
    }
    _exit(write(ends[1], said.data(), said.size()) == ssize_t(said.size()) ? 0 : 1);
  }
  close(ends[1]);
  std::string said;
  char room[4096];
  for (ssize_t got = 0; (got = read(ends[0], room, sizeof room)) > 0;)
    said.append(room, std::size_t(got));
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return said;
}

// A child that runs `act`, until kill() or the end of the test.
class Child {
 public:
  template <class Act>
  explicit Child(Act act) : id_(fork()) {
    if (id_ == 0) {
      act();
      _exit(0);
    }
  }
  ~Child() { kill(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void kill() {
    if (id_ <= 0) return;
    ::kill(id_, SIGKILL);
    wait();
  }
  void wait() {  // until it ends by itself
    waitpid(id_, nullptr, 0);
    id_ = 0;
  }

 private:
  pid_t id_;
};

}  // namespace tabula
