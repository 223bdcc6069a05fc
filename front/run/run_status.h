// What a run's store knows of it: for views of a training, `tabula status` and `tabula doctor`.
#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/data/rows.h"
#include "core/wire/client.h"

namespace tabula {

struct ProgramStatus {
  std::string program, worker;
  double silent = 0;  // seconds since its last beat
  std::map<std::string, double> figures;

  double operator[](const char* name) const {
    const auto found = figures.find(name);
    return found == figures.end() ? 0 : found->second;
  }
};

struct RunStatus {
  std::string game, champion, trouble;
  bool served = true;  // false: this is what the database says, and nobody else
  bool alone = false;  // then: a process has it that answers nobody (--lockstep)
  Totals totals;
  std::uint64_t waiting = 0;  // games that the store has not written yet
  double memory = 0;          // megabytes of the store; of others: their figure "memory"
  std::vector<ProgramStatus> programs;
  std::vector<ModelRow> models;
  std::vector<MatchRow> matches;

  double sum(const char* program, const char* figure) const;
  const ProgramStatus* find(const char* program) const;
  int count(const char* program) const;
};

// Of a database that nobody serves.
RunStatus status_at_rest(const std::filesystem::path& database);

// Keeps the lists that only grow, and asks for what is new.
class RunWatch {
 public:
  RunWatch(const std::string& address, const std::optional<ClientKeys>& keys)
      : store_(address, keys) {}
  // Throws Error if the store does not answer within that time.
  const RunStatus& look(std::int64_t patience_ms);
  void wake() { store_.wake(); }

 private:
  void read_models(std::int64_t patience_ms);
  void read_matches(std::int64_t patience_ms);

  Client store_;
  RunStatus status_;
};

}  // namespace tabula
