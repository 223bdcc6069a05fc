// A worker for the fault suites: makes games without end, hands them to a courier, and marks what
// is safe. SIGTERM: makes no more, and ends when the store has them all.
#include <atomic>
#include <iostream>
#include <thread>

#include "core/base/clock.h"
#include "core/cli/program.h"
#include "core/wire/courier.h"
#include "tests/faults/games.h"
#include "tests/faults/marks.h"

namespace {
using namespace tabula;

struct WorkerOptions {
  std::string folder, address, key, game = "connect4";
  std::uint64_t seed = 1, worker = 0, limit = 1'000'000'000;
  std::uint32_t batch = 8, pause = 20;  // at most: games at once, milliseconds between
  std::int64_t patience = 60000;        // milliseconds for the store, at the end

  bool parse(const Args& args) {
    Options options("fault_worker --folder DIR --address ADDRESS", "A worker that may be killed.");
    options.add("folder", folder, "its outbox and its marks")
        .add("address", address, "of the store")
        .add("key", key, "a client's key")
        .add("game", game, "whose games it makes")
        .add("seed", seed, "of the games")
        .add("worker", worker, "its number")
        .add("limit", limit, "how many games to make")
        .add("batch", batch, "games at once, at most")
        .add("pause", pause, "milliseconds between, at most")
        .add("patience", patience, "milliseconds to wait for the store at the end");
    return options.parse(args);
  }
};

// Says what troubles the courier whenever that changes.
class Watch {
 public:
  explicit Watch(const Courier& courier)
      : thread_([&courier](const std::stop_token& ended) {
          for (std::string said; !ended.stop_requested();
               std::this_thread::sleep_for(std::chrono::milliseconds(10)))
            if (const std::string trouble = courier.stats().trouble; trouble != said)
              std::cerr << ((said = trouble).empty() ? "all is well again" : said) << std::endl;
        }) {}

 private:
  std::jthread thread_;
};

int work(const Args& args) {
  WorkerOptions options;
  if (!options.parse(args)) return 0;
  std::atomic<bool> stopped = false;
  const StopSignals signals([&] { stopped = true; });
  const FaultGames games(options.seed, shipped(options.game));
  CourierConfig config;
  config.address = options.address;
  config.worker = "worker-" + std::to_string(options.worker);
  config.outbox = options.folder + "/outbox";
  if (!options.key.empty()) config.keys = read_client_keys(options.key);
  config.sender.wait_ms = 150;
  config.sender.longest_wait_ms = 400;
  config.sender.in_flight = 24;
  std::uint64_t next = Promises::in(options.folder).saved;
  const Marks marks(options.folder);
  Courier courier(config);
  const Watch watch(courier);
  Rng rng(Hash().add(options.seed).add(options.worker).add(next).value());
  while (!stopped && next < options.limit) {
    while (!courier.accepts() && !stopped)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    for (std::uint32_t i = 1 + rng.below(options.batch); i > 0 && next < options.limit; --i)
      courier.deliver(games.game(options.worker, next++));
    courier.settle_outbox();
    marks.add("saved", next);
    if (rng.below(3) == 0 && courier.wait_until_empty(300)) marks.add("acked", next);
    std::this_thread::sleep_for(std::chrono::milliseconds(rng.below(options.pause + 1)));
  }
  if (!courier.wait_until_empty(options.patience))
    throw Error("the store has not taken all games: " + std::to_string(courier.stats().waiting) +
                " wait.");
  marks.add("acked", next);
  std::cout << "delivered " << next << ", resent " << courier.stats().resent << ", known before "
            << courier.stats().known << "\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return tabula::run_program("fault_worker", argc, argv, work); }
