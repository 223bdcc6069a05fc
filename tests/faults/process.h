// Programs that the fault suites start, kill and listen to.
#pragma once
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/base/clock.h"

namespace tabula {

inline std::string program(const std::string& name) { return TABULA_BUILD "/bin/" + name; }

// A running program; killed with the test. What it says is added to a file.
class Process {
 public:
  Process(std::vector<std::string> words, std::vector<std::string> environment,
          const std::string& output) {
    sigset_t later, before;  // asked to end before it listens, it ends when it does
    sigemptyset(&later);
    sigaddset(&later, SIGTERM);
    sigprocmask(SIG_BLOCK, &later, &before);
    id_ = fork();
    if (id_ != 0) {
      sigprocmask(SIG_SETMASK, &before, nullptr);
      return;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int said = open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
    dup2(said, 1);
    dup2(said, 2);
    for (std::string& setting : environment) putenv(setting.data());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  ~Process() {
    kill(SIGKILL);
    wait();
  }
  Process(Process&& other) noexcept : id_(std::exchange(other.id_, 0)), status_(other.status_) {}
  Process& operator=(Process&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(status_, other.status_);
    return *this;
  }

  pid_t id() const { return id_; }
  void kill(int signal) {
    if (!ended()) ::kill(id_, signal);
  }
  // The exit code, or 128 + n after signal n.
  std::optional<int> ended() {
    int status = 0;
    if (id_ > 0 && !status_ && waitpid(id_, &status, WNOHANG) == id_)
      status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return id_ > 0 ? status_ : std::optional(0);
  }
  int wait() {
    while (!ended()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return *ended();
  }
  // Nothing: it still runs.
  std::optional<int> wait_for(std::int64_t ms) {
    for (const std::int64_t end = clock_ms() + ms; !ended() && clock_ms() < end;)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return ended();
  }

 private:
  pid_t id_;
  std::optional<int> status_;
};

constexpr int kKilled = 128 + SIGKILL;

}  // namespace tabula
