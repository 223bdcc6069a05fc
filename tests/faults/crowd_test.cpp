// A crowd of clients at one store, each with its own key.
#include <doctest/doctest.h>

#include "core/wire/keys.h"
#include "tests/faults/cluster.h"
#include "tests/faults/suite.h"
#include "tests/scratch.h"

using namespace tabula;

namespace {

constexpr std::uint64_t kGames = 20;  // of each client
constexpr std::int64_t kPatienceMs = 600'000;

template <class Is>
bool soon(Is is) {
  for (const std::int64_t end = clock_ms() + kPatienceMs; !is();) {
    if (clock_ms() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

// The address that a store says it listens at.
std::string address_in(const std::string& output) {
  const std::string text = text_of(output), scheme = "tcp://";
  const std::size_t begin = text.find(scheme);
  if (begin == text.npos) return "";
  const std::size_t end = text.find_first_not_of("0123456789.:", begin + scheme.size());
  return end == text.npos ? "" : text.substr(begin, end - begin);
}

std::int64_t resident_kb(const Process& process) {
  std::ifstream status("/proc/" + std::to_string(process.id()) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmRSS:")) return std::atoll(line.c_str() + 6);
  return 0;
}

// Processes with a part of the clients each.
class Crowds {
 public:
  Crowds(const Scratch& scratch, const std::string& keys, const std::string& address,
         std::uint64_t seed, int processes, int clients) {
    for (int i = 0; i < processes; ++i) {
      const std::string folder = scratch / ("crowd-" + std::to_string(i));
      std::filesystem::create_directories(folder);
      const int first = clients * i / processes, next = clients * (i + 1) / processes;
      folders_.push_back(folder);
      processes_.emplace_back(
          std::vector<std::string>{program("fault_crowd"), "--folder", folder, "--keys", keys,
                                   "--address", address, "--seed", std::to_string(seed), "--first",
                                   std::to_string(first), "--clients", std::to_string(next - first),
                                   "--games", std::to_string(kGames)},
          std::vector<std::string>{}, folder + "/said.txt");
    }
  }

  void tell(const std::string& name) const {
    for (const std::string& folder : folders_) std::ofstream(folder + "/" + name) << "\n";
  }
  // What each said in its file of this name, or nothing if one ended, with a complaint.
  std::vector<std::string> wait_for(const std::string& name) {
    std::vector<std::string> said;
    for (std::size_t i = 0; i < folders_.size(); ++i) {
      const std::string file = folders_[i] + "/" + name;
      const bool there =
          soon([&] { return std::filesystem::exists(file) || processes_[i].ended(); });
      if (!there || processes_[i].ended()) {
        MESSAGE(name << " never came: " << text_of(folders_[i] + "/said.txt"));
        return {};
      }
      said.push_back(text_of(file));
    }
    return said;
  }

 private:
  std::vector<std::string> folders_;
  std::vector<Process> processes_;
};

std::int64_t latest(const std::vector<std::string>& times) {
  std::int64_t last = 0;
  for (const std::string& time : times)
    last = std::max<std::int64_t>(last, std::atoll(time.c_str()));
  return last;
}

// All that the clients made, against what the store holds.
FaultLedger::Count count(const std::string& database, std::uint64_t seed, int clients) {
  std::map<GameId, Digest> held;
  FaultLedger::Count count;
  const Reader reader(database);
  for (const LogEntry& entry : entries_in(reader, 0, 1 << 20))
    count.duplicated += !held.emplace(entry.id, digest_of(entry.bytes)).second;
  const FaultGames games(seed);
  for (int client = 0; client < clients; ++client)
    for (std::uint64_t number = 0; number < kGames; ++number) {
      const OutboxGame game = games.game(std::uint64_t(client), number);
      const auto found = held.find(game.id);
      count.lost += found == held.end();
      if (found == held.end()) continue;
      count.altered += found->second != digest_of(game.bytes);
      held.erase(found);
    }
  count.phantom = held.size();
  return count;
}

}  // namespace

TEST_CASE("a crowd of clients, each with its own key, delivers its games at once") {
  const int clients = by_length(50, 1000, 10000), processes = by_length(1, 2, 5);
  const std::uint64_t seed = suite_seed();
  const Row row("a crowd with CURVE keys", seed);
  const Scratch scratch;
  const std::filesystem::path keys =
      memory_folder() / ("tabula_keys_" + std::to_string(getpid()));  // thousands of flushes
  const auto gone =
      std::shared_ptr<void>(nullptr, [&](void*) { std::filesystem::remove_all(keys); });
  new_store_keys(keys);
  for (int i = 0; i < clients; ++i)
    new_client_keys(keys, "client-" + std::to_string(i), Role::worker);

  Cluster cluster(scratch.path(), seed, 0);
  cluster.add_store("tcp://127.0.0.1:0", {}, {"--keys", keys});
  Actor& store = cluster.actor("store");
  cluster.start(store);
  REQUIRE(soon([&] { return !address_in(cluster.output(store)).empty(); }));
  Crowds crowds(scratch, keys, address_in(cluster.output(store)), seed, processes, clients);
  REQUIRE(!crowds.wait_for("ready").empty());

  const std::int64_t before_kb = resident_kb(*store.process), begun = clock_ms();
  crowds.tell("connect");
  const std::vector<std::string> greeted = crowds.wait_for("greeted");
  REQUIRE(!greeted.empty());
  const std::int64_t greeting_ms = latest(greeted) - begun;
  const std::int64_t greeted_kb = resident_kb(*store.process), delivering = clock_ms();
  crowds.tell("deliver");
  const std::vector<std::string> delivered = crowds.wait_for("delivered");
  REQUIRE(!delivered.empty());
  const std::int64_t delivery_ms = latest(delivered) - delivering;
  const std::int64_t after_kb = resident_kb(*store.process);

  std::uint64_t resent = 0;
  std::vector<std::int64_t> latencies;
  for (const std::string& text : delivered) {
    std::istringstream in(text);
    std::uint64_t again = 0;
    std::int64_t number = 0;
    in >> number >> again;
    resent += again;
    while (in >> number) latencies.push_back(number);
  }
  const std::uint64_t games = std::uint64_t(clients) * kGames;
  REQUIRE(latencies.size() == games);
  std::ranges::sort(latencies);
  store.process->kill(SIGTERM);
  REQUIRE(store.process->wait() == 0);
  const FaultLedger::Count counted = count(cluster.database(), seed, clients);
  CHECK(counted == FaultLedger::Count{});
  CHECK(Reader(cluster.database()).totals().quarantined == 0);
  const auto ms = [](std::int64_t time) { return std::to_string(time) + " ms"; };
  const auto kb = [&](std::int64_t now) {
    return std::to_string((now - before_kb) / clients) + " KiB";
  };
  row.write(std::to_string(clients) + " clients in " + std::to_string(processes) +
                " processes; all greeted after " + ms(greeting_ms) + ", " + std::to_string(games) +
                " games delivered in " + ms(delivery_ms) + ", acknowledged after " +
                ms(latencies[games / 2]) + " (median), " + ms(latencies[games * 99 / 100]) +
                " (99 %), " + std::to_string(resent) + " sent again; the store grew by " +
                kb(greeted_kb) + " a client, " + kb(after_kb) + " after the games",
            counted.text());
}
