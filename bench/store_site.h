// A store with its workers in one process, for measurements.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "bench/store.h"
#include "core/service/server.h"
#include "core/wire/courier.h"

namespace tabula {

// A folder of its own, gone afterwards.
class BenchFolder {
 public:
  explicit BenchFolder(const std::filesystem::path& in);
  ~BenchFolder();
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  static void remove_all();  // for a process that ends now; from any thread

 private:
  std::filesystem::path path_;
};

class StoreSite {
 public:
  using NextGame = std::function<OutboxGame()>;

  // With keys: the wire is encrypted and every client known.
  StoreSite(const BenchFolder& folder, const std::string& name, const Rules& rules,
            const StoreBench& config, bool check_games);
  ~StoreSite();

  // Keeps all workers busy for that long, waits until everything is acknowledged, and returns games
  // a second.
  double ingest(double seconds, const NextGame& next);

  std::string address() const { return server_.addresses().front(); }
  ClientKeys viewer() const;
  std::uint64_t delivered() const { return delivered_; }
  std::filesystem::path database() const { return database_; }

 private:
  std::filesystem::path database_, keys_;
  int queued_;
  Server server_;
  std::thread thread_;
  std::vector<std::unique_ptr<Courier>> couriers_;
  std::uint64_t delivered_ = 0;
};

// Different games of self-play, again and again under new ids.
class GameSource {
 public:
  GameSource(const Rules& rules, int games);
  OutboxGame next();
  double bytes() const { return bytes_; }          // a game, on average
  double positions() const { return positions_; }  // a game, on average
  const std::vector<StoredGame>& games() const { return games_; }

 private:
  std::vector<StoredGame> games_;
  double bytes_ = 0, positions_ = 0;
  std::size_t at_ = 0;
  GameId id_{};
};

// Ids as workers make them: 10 random bytes, then a number that counts up.
GameId first_id();
void count_up(GameId& id);

}  // namespace tabula
