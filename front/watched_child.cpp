#include "front/watched_child.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <iostream>
#include <optional>
#include <thread>

namespace tabula {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void be_child(const std::function<int(Trace&)>& work, Trace& trace) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // Ctrl-C on the parent ends us too
  int status = 1;
  try {
    status = work(trace);
    if (!std::cout.flush()) throw Error("cannot write the output.");
  } catch (const Error& e) {
    status = 1;
    std::cerr << "tabula: " << e.what() << "\n";
  } catch (const std::exception& e) {  // not the game's: its exceptions are caught in the adapter
    std::cerr << "tabula: internal error, please report it: " << e.what() << "\n";
  }
  std::cout.flush();
  trace.finish();
  _exit(status);
}

std::string how_lost(int status, const Trace& trace) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    return std::string("a crash: ") + strsignal(signal) + " (signal " + std::to_string(signal) +
           ")";
  }
  return trace.finished()
             ? ""
             : "the process left with exit(" + std::to_string(WEXITSTATUS(status)) + ")";
}

class Watch {
 public:
  Watch(const Trace& trace, int patience) : trace_(trace), patience_(patience) {}

  double seconds() const { return since(began_); }
  bool stuck() {
    if (trace_.calls() != calls_) {
      calls_ = trace_.calls();
      moved_ = Clock::now();
    }
    return !trace_.patient() && since(moved_) > patience_;
  }

 private:
  static double since(Clock::time_point t) {
    return std::chrono::duration<double>(Clock::now() - t).count();
  }
  const Trace& trace_;
  int patience_;
  long calls_ = -1;
  Clock::time_point began_ = Clock::now(), moved_ = began_;
};

}  // namespace

Outcome run_watched(const std::function<int(Trace&)>& work, int patience,
                    const std::function<void(const Trace&, double)>& progress, Trace* given) {
  std::optional<Trace> own;
  Trace& trace = given ? *given : own.emplace();
  std::cout.flush();
  const pid_t child = fork();
  if (child < 0) throw Error("cannot start a child process: " + std::string(strerror(errno)));
  if (child == 0) be_child(work, trace);

  Watch watch(trace, patience);
  int status = 0;
  for (int ms = 1; waitpid(child, &status, WNOHANG) == 0; ms = std::min(ms * 2, 100)) {
    if (watch.stuck()) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return {1, "nothing for " + std::to_string(patience) + " seconds"};
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(ms));
    if (progress) progress(trace, watch.seconds());
  }
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 1, how_lost(status, trace)};
}

}  // namespace tabula
