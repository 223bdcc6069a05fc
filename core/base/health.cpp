#include "core/base/health.h"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <sstream>

#include "core/base/clock.h"
#include "core/base/error.h"
#include "core/base/files.h"

namespace tabula {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kEveryMs = 2000, kSilentMs = 60'000;
constexpr std::uint64_t kMostBytes = 4096;

std::mutex mutex;
fs::path health_file;
bool last_ready = false;
std::string last_why;
std::int64_t next = 0;

// Not flushed: after a power cut nobody asks. The clock is the machine's, which no one can set.
void write(bool ready, const std::string& why) {
  const fs::path fresh = health_file.string() + ".new";
  FILE* file = std::fopen(fresh.c_str(), "w");
  if (!file) throw Error(health_file.string() + ": cannot write there.");
  std::fprintf(file, "%lld %d %s\n", static_cast<long long>(clock_ms()), int(ready), why.c_str());
  std::fclose(file);
  fs::rename(fresh, health_file);
}

}  // namespace

std::string default_health_file() {
  const char* given = std::getenv("TABULA_HEALTH");
  return given ? given : "";
}

void set_health_file(const fs::path& file) {
  const std::lock_guard lock(mutex);
  health_file = file;
  if (!file.empty()) write(false, "it is starting");
}

void say_health(bool ready, const std::string& why) {
  const std::lock_guard lock(mutex);
  const std::int64_t now = clock_ms();
  if (health_file.empty() || (now < next && ready == last_ready && why == last_why)) return;
  next = now + kEveryMs;
  last_ready = ready;
  last_why = why;
  try {
    write(ready, why);
  } catch (const std::exception&) {  // then it grows old, and the probe fails
  }
}

Health health_in(const fs::path& file, std::int64_t now_ms) {
  std::istringstream text(read_file(file, kMostBytes));
  long long at = 0;
  int ready = 0;
  std::string why;
  if (!(text >> at >> ready)) return {.why = "the file makes no sense"};
  std::getline(text >> std::ws, why);
  if (now_ms - at > kSilentMs)
    return {.why = "nothing was heard for " + std::to_string((now_ms - at) / 1000) + " seconds"};
  return {.alive = true, .ready = ready != 0, .why = why};
}

}  // namespace tabula
