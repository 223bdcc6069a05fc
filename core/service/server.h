// The replay store as others see it: ZeroMQ in front, SQLite behind.
#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/data/rows.h"
#include "core/game/rules.h"
#include "core/service/intake.h"
#include "core/service/summary.h"

namespace tabula {

struct ServiceConfig {
  std::filesystem::path database;
  std::vector<std::string> listen;  // addresses
  std::filesystem::path keys{};     // a folder of them, or empty: everybody is let in
  bool insecure = false;            // let everybody in from other machines too
  Keep keep{};
  IntakeConfig intake{};
  bool check_games = true;           // off: for measurements of everything else
  std::int64_t lend_seconds = 3600;  // an adjourned game, before it is lent again
  // An adjourned game that nobody finished, while the store was up for so long.
  std::int64_t abandon_seconds = 86400;
};

class Server {
 public:
  // Takes the database and listens. The rules are those whose games it holds: a new database is
  // made for them, `plugin` being how the operator named them. Throws Error.
  Server(const ServiceConfig& config, RulesPtr rules, const std::string& plugin);
  ~Server();

  std::vector<std::string> addresses() const;

  // Serves until stop(), then finishes what it has begun. Throws FlushFailed if the disk can no
  // longer be trusted.
  void run();
  // From any thread:
  void stop();
  ServiceSummary summary() const;  // at most seconds old

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tabula
