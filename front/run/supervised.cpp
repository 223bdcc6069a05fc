#include "front/run/supervised.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <thread>

#include "core/base/clock.h"
#include "core/base/error.h"

namespace tabula {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t kEarlyMs = 10'000, kLongestPauseMs = 30'000;
constexpr int kMostEarlyEnds = 4, kMostDoublings = 7;

fs::path beside_us(const std::string& name) {
  return fs::read_symlink("/proc/self/exe").parent_path() / name;
}

// In the child, where only calls that are safe after fork() are made.
[[noreturn]] void become(const fs::path& program, char* const* argv, int log, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(1);  // it died meanwhile
  setpgid(0, 0);                      // the terminal's Ctrl-C is for the parent
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  if (const int nothing = open("/dev/null", O_RDONLY); nothing >= 0) dup2(nothing, STDIN_FILENO);
  execv(program.c_str(), argv);
  _exit(127);
}

}  // namespace

Supervised::Supervised(std::string name, std::vector<std::string> args, fs::path log)
    : name_(std::move(name)), args_(std::move(args)), log_(std::move(log)) {
  start(clock_ms());
}

Supervised::~Supervised() {
  if (!running()) return;
  ask_to_stop();
  wait(10'000);
}

void Supervised::start(std::int64_t now_ms) {
  const fs::path program = beside_us(name_);
  std::vector<char*> argv;
  argv.push_back(name_.data());
  for (std::string& arg : args_) argv.push_back(arg.data());
  argv.push_back(nullptr);
  const int log = open(log_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (log < 0) throw Error(log_.string() + ": cannot write there.");
  log_begin_ = fs::file_size(log_);
  started_ = now_ms;
  const pid_t parent = getpid();
  process_ = fork();
  if (process_ == 0) become(program, argv.data(), log, parent);
  close(log);
  if (process_ < 0) throw Error("cannot start " + program.string() + ".");
}

bool Supervised::ended() {
  int status = 0;
  if (running() && waitpid(process_, &status, WNOHANG) != process_) return false;
  was_killed_ = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  process_ = 0;
  return true;
}

// The last line that is no report.
std::string Supervised::last_words() const {
  std::ifstream file(log_);
  file.seekg(std::streamoff(log_begin_));
  std::string line, last = name_ + " ended without a word; see " + log_.string() + ".";
  while (std::getline(file, line))
    if (line.starts_with(name_ + ": ")) last = line;
  return last;
}

void Supervised::tend(std::int64_t now_ms) {
  if (stopping_) return;
  if (!running()) {
    if (now_ms >= start_again_) start(now_ms);
    return;
  }
  if (!ended()) return;
  const bool early = now_ms - started_ < kEarlyMs;
  early_deaths_ = early ? early_deaths_ + 1 : 1;
  early_ends_ = was_killed_ ? early_ends_ : early ? early_ends_ + 1 : 1;
  ++restarts_;
  if (early_ends_ >= kMostEarlyEnds) throw Error(last_words());
  const int doublings = std::min(early_deaths_, kMostDoublings);
  start_again_ = now_ms + std::min(kLongestPauseMs, std::int64_t{250} << doublings);
}

void Supervised::change(const std::string& option, std::string value) {
  const auto found = std::ranges::find(args_, option);
  if (found != args_.end() && found + 1 != args_.end()) *(found + 1) = std::move(value);
}

void Supervised::ask_to_stop() {
  stopping_ = true;
  if (running()) kill(process_, SIGTERM);
}

bool Supervised::wait(std::int64_t patience_ms) {
  const std::int64_t end = clock_ms() + patience_ms;
  while (!ended()) {
    if (clock_ms() >= end) {
      kill(process_, SIGKILL);
      waitpid(process_, nullptr, 0);
      process_ = 0;
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

}  // namespace tabula
