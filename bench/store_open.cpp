#include "bench/store_open.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "bench/alternation.h"
#include "bench/store_site.h"
#include "core/store/reader.h"
#include "core/store/store.h"

namespace tabula {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLog = std::uint64_t{64} << 20;
constexpr std::size_t kGroup = 64, kLargeGroup = 4096;

std::vector<Arrival> group_of(GameSource& source, std::size_t games) {
  std::vector<Arrival> group(games);
  for (Arrival& arrival : group) {
    OutboxGame game = source.next();
    arrival.id = game.id;
    arrival.bytes = std::move(game.bytes);
    arrival.account = "bench";
    arrival.positions = std::uint32_t(source.positions());
  }
  return group;
}

// Never returns.
[[noreturn]] void fill_and_die(const fs::path& file, const Identity& identity, GameSource& source,
                               std::uint64_t positions) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // not longer than whoever measures
  try {
    Store store(file, identity);
    for (double done = 0; done < double(positions); done += kLargeGroup * source.positions()) {
      store.add(group_of(source, kLargeGroup));
      if (store.log_bytes() > kLog) store.checkpoint();
    }
    while (store.log_bytes() < kLog) store.add(group_of(source, kGroup));
    std::raise(SIGKILL);  // before the store is closed
  } catch (const std::exception&) {}
  _exit(1);
}

// What a machine that was just switched on would find in its memory: nothing of these files.
void forget_cached(const fs::path& file) {
  for (const char* suffix : {"", "-wal", "-shm"}) {
    const int opened = open((file.string() + suffix).c_str(), O_RDONLY);
    if (opened < 0) continue;
    fsync(opened);
    posix_fadvise(opened, 0, 0, POSIX_FADV_DONTNEED);
    close(opened);
  }
}

void copy_store(const fs::path& from, const fs::path& to) {
  for (const char* suffix : {"", "-wal"})
    fs::copy_file(from.string() + suffix, to.string() + suffix,
                  fs::copy_options::overwrite_existing);
}

}  // namespace

LargeStore measure_large_store(const Rules& rules, const StoreBench& config) {
  const BenchFolder folder(config.folder);
  const fs::path file = folder / "large.db", copy = folder / "copy.db";
  const Identity identity{rules.name(), rules.fingerprints().rules, rules.name()};
  GameSource source(rules, 500);
  const pid_t child = fork();
  if (child == 0) fill_and_die(file, identity, source, config.large);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
    throw Error("the large database could not be made.");
  LargeStore found;
  found.log_bytes = fs::file_size(file.string() + "-wal");
  for (int i = 0; i < config.repeats; ++i) {
    copy_store(file, copy);
    forget_cached(copy);
    const double began = wall_seconds();
    const Store opened(copy, identity);
    const Reader reader(copy);
    found.positions = reader.totals().positions;
    found.open_ms.push_back((wall_seconds() - began) * 1e3);
  }
  fs::remove(copy);
  Store large(file, identity), empty(folder / "empty.db", identity);
  const auto rate = [&](Store& store) {
    return rate_of(wall_seconds, config.milliseconds * 1e-3, [&] {
      store.add(group_of(source, kGroup));
      if (store.log_bytes() > kLog / 4) store.checkpoint();
      return kGroup;
    });
  };
  for (int i = 0; i <= config.repeats; ++i) {
    const double a = rate(large), b = rate(empty);
    if (i == 0) continue;  // warm
    found.large_rate.push_back(a);
    found.empty_rate.push_back(b);
  }
  return found;
}

}  // namespace tabula
