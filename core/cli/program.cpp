#include "core/cli/program.h"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <iostream>

#include "core/base/clock.h"
#include "core/base/health.h"

namespace tabula {
namespace {

// `timeout` and others signal a program and then its whole group: that is one request.
constexpr std::int64_t kSameRequestMs = 1000;

sigset_t stop_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

// What an orchestrator asks, as its exit code.
int probe(const Args& args) {
  const std::string file = args.size() == 2 ? args[1] : default_health_file();
  if (args.empty() || args.size() > 2 || (args[0] != "alive" && args[0] != "ready") || file.empty())
    throw Error("a probe is 'probe alive FILE' or 'probe ready FILE', with the file of --health.");
  const Health health = health_in(file, clock_ms());
  const bool good = args[0] == "alive" ? health.alive : health.ready;
  if (!good) std::cout << "not " << args[0] << ": " << health.why << "\n";
  return good ? 0 : 1;
}

}  // namespace

int run_program(const char* name, int argc, char** argv,
                const std::function<int(const Args&)>& program) {
  try {
    const Args args(argv + 1, argv + argc);
    if (std::ranges::find(args, "--version") != args.end()) {
      std::cout << name << " " TABULA_VERSION "\n";
      return 0;
    }
    const bool probed = !args.empty() && args[0] == "probe";
    const int status = probed ? probe({args.begin() + 1, args.end()}) : program(args);
    std::cout.flush();
    return std::cout ? status : throw Error("cannot write the output.");
  } catch (const Error& e) {
    std::cerr << name << ": " << e.what() << "\n";
  } catch (const std::exception& e) {
    std::cerr << name << ": internal error, please report it: " << e.what() << "\n";
  }
  return 1;
}

StopSignals::StopSignals(std::function<void()> stop) {
  const sigset_t set = stop_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  thread_ = std::jthread([stop = std::move(stop)](const std::stop_token& ended) {
    const sigset_t waited = stop_signals();
    const timespec pause{.tv_sec = 0, .tv_nsec = 100'000'000};
    for (std::int64_t asked = 0; !ended.stop_requested();) {
      const int signal = sigtimedwait(&waited, nullptr, &pause);
      if (signal <= 0) continue;
      if (asked == 0) {
        stop();
        asked = clock_ms();
      } else if (clock_ms() - asked > kSameRequestMs) {
        _exit(128 + signal);
      }
    }
  });
}

StopSignals::~StopSignals() {
  thread_.request_stop();
  thread_.join();
  const sigset_t set = stop_signals();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace tabula
