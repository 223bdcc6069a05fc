// Many clients of a store in one process, each with its own key, connection and state, but a few
// threads for all of them. Goes on when a file appears in its folder: `connect`, then `deliver`;
// says that it is done by files of its own: `ready`, `greeted`, `delivered`. Ends on SIGTERM, so
// that all stay connected.
#include <atomic>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>
#include <sstream>
#include <thread>

#include "core/base/clock.h"
#include "core/cli/program.h"
#include "core/wire/client_socket.h"
#include "core/wire/message_codec.h"
#include "core/wire/sender.h"
#include "tests/faults/games.h"

namespace {
using namespace tabula;

constexpr std::int64_t kHelloAgainMs = 10000;
// Few games in flight, as workers have that finish them one by one; patience for a crowd.
constexpr std::int64_t kGreetingPauseMs = 250;
const SenderConfig kSender{.in_flight = 4, .message_games = 4, .wait_ms = 10000};

class CrowdClient {
 public:
  CrowdClient(const std::string& address, const ClientKeys& keys,
              std::shared_ptr<SocketThread> thread, const std::vector<OutboxGame>& games,
              std::uint64_t seed)
      : socket_(address, keys, std::move(thread)), sender_(kSender, seed) {
    for (const OutboxGame& game : games) {
      sender_.add(game.id, game.bytes.size());
      games_[game.id] = {game.bytes};
    }
  }

  bool greeted() const { return greeted_; }
  bool done() const { return games_.empty(); }
  std::uint64_t resent() const { return sender_.resent(); }

  void greet(std::int64_t now) {
    if (now >= next_hello_ && socket_.send(encode_message(Hello{"crowd", "crowd"}, ++requests_)))
      next_hello_ = now + kHelloAgainMs;
    take_all(now);
  }
  void deliver(std::int64_t now) {
    for (std::vector<GameId> ids; !(ids = sender_.next(now)).empty();) {
      Append append;
      for (const GameId& id : ids) {
        Game& game = games_.at(id);
        append.games.push_back({id, game.bytes});
        if (game.sent_at == 0) game.sent_at = now;
      }
      socket_.send(encode_message(append, ++requests_));
    }
    take_all(now);
  }

  std::vector<std::int64_t> latencies;  // milliseconds from a game's first sending to its receipt

 private:
  struct Game {
    std::string bytes;
    std::int64_t sent_at = 0;
  };

  void take_all(std::int64_t now) {
    while (const std::optional<std::string> bytes = socket_.receive(0)) take(*bytes, now);
  }
  void take(const std::string& bytes, std::int64_t now) {
    Received received(bytes);
    greeted_ = greeted_ || received.is(MessageType::welcome);
    if (received.is(MessageType::refused)) {
      const Refused refused = received.as<Refused>();
      if (!refused.later) throw Error("the store says: " + refused.sentence);
      sender_.hold(now);
    }
    if (!received.is(MessageType::receipts)) return;
    for (const Receipts::Item& item : received.as<Receipts>().items) {
      if (item.fate != Fate::stored && item.fate != Fate::known)
        throw Error("a game was not stored: " + item.reason);
      if (!sender_.settle(item.id)) continue;
      latencies.push_back(clock_ms() - games_.at(item.id).sent_at);
      games_.erase(item.id);
    }
  }

  ClientSocket socket_;
  Sender sender_;
  std::map<GameId, Game> games_;  // that are not acknowledged
  bool greeted_ = false;
  std::int64_t next_hello_ = 0;
  std::uint64_t requests_ = 0;
};

struct CrowdOptions {
  std::string folder, keys, address;
  std::uint64_t seed = 1, first = 0, clients = 10, games = 20, threads = 2;

  bool parse(const Args& args) {
    Options options("fault_crowd --folder DIR --keys DIR --address ADDRESS", "Many clients.");
    options.add("folder", folder, "where it says how far it is")
        .add("keys", keys, "a folder with client-N.key for each")
        .add("address", address, "of the store")
        .add("seed", seed, "of the games")
        .add("first", first, "the first client's number")
        .add("clients", clients, "how many there are")
        .add("games", games, "that each of them delivers")
        .add("threads", threads, "for all of them");
    return options.parse(args);
  }
};

class Crowd {
 public:
  Crowd(const CrowdOptions& options, const std::atomic<bool>& stopped)
      : options_(options), stopped_(stopped) {
    const FaultGames games(options.seed);
    for (std::uint64_t i = 0; i < options.clients; ++i) {
      const std::uint64_t number = options.first + i;
      keys_.push_back(
          read_client_keys(options.keys + "/client-" + std::to_string(number) + ".key"));
      games_.emplace_back();
      for (std::uint64_t n = 0; n < options.games; ++n)
        games_.back().push_back(games.game(number, n));
    }
  }

  int run() {
    say("ready", "");
    if (!wait_for("connect")) return 1;
    in_threads([&](std::uint64_t part) { connect(part); });
    each_until(
        kGreetingPauseMs, [](CrowdClient& c, std::int64_t now) { c.greet(now); },
        [](const CrowdClient& c) { return c.greeted(); });
    say("greeted", std::to_string(clock_ms()));
    if (!wait_for("deliver")) return 1;
    each_until(
        1 + std::int64_t(parts_[0].size()) / 100,
        [](CrowdClient& c, std::int64_t now) { c.deliver(now); },
        [](const CrowdClient& c) { return c.done(); });
    say("delivered", figures());
    while (!stopped_) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return 0;
  }

 private:
  using Clients = std::vector<std::unique_ptr<CrowdClient>>;

  void say(const std::string& name, const std::string& text) const {
    const std::string file = options_.folder + "/" + name;
    std::ofstream(file + ".new") << text << "\n";
    std::filesystem::rename(file + ".new", file);
  }
  bool wait_for(const std::string& name) const {
    while (!stopped_ && !std::filesystem::exists(options_.folder + "/" + name))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return !stopped_;
  }
  template <class Act>
  void in_threads(Act act) {
    parts_.resize(options_.threads);
    std::exception_ptr failure;
    std::mutex mutex;
    {
      std::vector<std::jthread> threads;
      for (std::uint64_t part = 0; part < options_.threads; ++part)
        threads.emplace_back([&, part] {
          try {
            act(part);
          } catch (...) {
            const std::lock_guard lock(mutex);
            failure = std::current_exception();
          }
        });
    }
    if (failure) std::rethrow_exception(failure);
  }
  void connect(std::uint64_t part) {
    const auto thread = std::make_shared<SocketThread>(int(options_.clients));
    for (std::uint64_t i = part; i < options_.clients; i += options_.threads)
      parts_[part].push_back(
          std::make_unique<CrowdClient>(options_.address, keys_[i], thread, games_[i], i));
  }
  // Each client acts in turn until all are finished. To look at a socket is a call of the system:
  // the pause leaves the processor to the store, and to the handshakes.
  template <class Act, class Finished>
  void each_until(std::int64_t pause_ms, Act act, Finished finished) {
    in_threads([&](std::uint64_t part) {
      for (bool all = false; !all && !stopped_;) {
        all = true;
        for (auto& client : parts_[part]) {
          if (finished(*client)) continue;
          act(*client, clock_ms());
          all = all && finished(*client);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(pause_ms));
      }
    });
  }
  // When it was done, how many games were sent again, and every game's latency.
  std::string figures() const {
    std::uint64_t resent = 0;
    std::ostringstream text;
    for (const Clients& part : parts_)
      for (const auto& client : part) {
        resent += client->resent();
        for (std::int64_t latency : client->latencies) text << " " << latency;
      }
    return std::to_string(clock_ms()) + " " + std::to_string(resent) + text.str();
  }

  const CrowdOptions& options_;
  const std::atomic<bool>& stopped_;
  std::vector<ClientKeys> keys_;
  std::vector<std::vector<OutboxGame>> games_;
  std::vector<Clients> parts_;  // by thread
};

int crowd(const Args& args) {
  CrowdOptions options;
  if (!options.parse(args)) return 0;
  std::atomic<bool> stopped = false;
  const StopSignals signals([&] { stopped = true; });
  return Crowd(options, stopped).run();
}

}  // namespace

int main(int argc, char** argv) { return tabula::run_program("fault_crowd", argc, argv, crowd); }
