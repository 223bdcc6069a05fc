// Programs of ours in the background, as a user or an orchestrator runs them.
#pragma once
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/store/ownership.h"

namespace tabula {

class Program {
 public:
  // bin/NAME, in a folder, with the folder as home; what it says is added to `log` there.
  Program(const std::string& name, const std::vector<std::string>& args, const std::string& folder,
          const std::string& log,
          const std::vector<std::pair<std::string, std::string>>& environment = {})
      : log_(folder + "/" + log), id_(fork()) {
    if (id_ != 0) return;
    const int out = open(log_.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    signal(SIGINT, SIG_DFL);
    if (chdir(folder.c_str()) != 0) _exit(126);
    setenv("HOME", folder.c_str(), 1);
    unsetenv("XDG_STATE_HOME");
    setenv("OMP_NUM_THREADS", "1", 1);
    for (const auto& [key, value] : environment) setenv(key.c_str(), value.c_str(), 1);
    const std::string program = TABULA_BUILD "/bin/" + name;
    std::vector<char*> argv = {const_cast<char*>(name.c_str())};
    for (const std::string& arg : args) argv.push_back(const_cast<char*>(arg.c_str()));
    argv.push_back(nullptr);
    execv(program.c_str(), argv.data());
    _exit(127);
  }
  ~Program() { end(SIGKILL); }
  Program(Program&& other) noexcept : log_(other.log_), id_(std::exchange(other.id_, 0)) {}
  Program& operator=(Program&& other) noexcept {
    end(SIGKILL);
    log_ = other.log_;
    id_ = std::exchange(other.id_, 0);
    return *this;
  }

  // The exit code; 128 + n after signal n.
  int end(int signal) {
    if (id_ <= 0) return -1;
    kill(id_, signal);
    return wait();
  }
  int wait() {
    int status = 0;
    waitpid(id_, &status, 0);
    id_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  std::string said() const {
    std::ostringstream text;
    text << std::ifstream(log_).rdbuf();
    return text.str();
  }
  std::vector<pid_t> children() const {
    std::ifstream in("/proc/" + std::to_string(id_) + "/task/" + std::to_string(id_) + "/children");
    std::vector<pid_t> all;
    for (pid_t child = 0; in >> child;) all.push_back(child);
    return all;
  }
  pid_t process() const { return id_; }
  bool says(const std::string& part) const { return said().find(part) != std::string::npos; }

 private:
  std::string log_;
  pid_t id_;
};

// Whether somebody serves this database.
inline bool served(const std::string& database) {
  const std::optional<Owner> owner = owner_of(database);
  return owner && !owner->address.empty();
}

// Waits for something that will come, for as long as a slow machine may need.
inline bool eventually(const std::function<bool()>& holds, int seconds = 240) {
  for (int i = 0; i < 20 * seconds; ++i) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return holds();
}

}  // namespace tabula
