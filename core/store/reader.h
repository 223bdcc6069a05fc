// The reading side of a store: any number of processes and threads, each with its own Reader.
#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/data/rows.h"

namespace tabula {

// Opens read-only, never checkpoints, and holds no transaction between calls.
class Reader {
 public:
  explicit Reader(const std::filesystem::path& file);
  ~Reader();
  Reader(Reader&&) noexcept;
  Reader& operator=(Reader&&) noexcept;

  Identity identity() const;
  Totals totals() const;
  std::uint64_t head() const;

  // Entries after a sequence number, in order: at least one if there is any, then as many as fit
  // into so many bytes. Only bytes that are what was stored.
  LogPage read(std::uint64_t after, std::size_t max_bytes) const;

  std::vector<ModelRow> models(std::uint64_t after_number = 0) const;
  std::optional<ModelRow> model(const std::string& id) const;
  Champion champion() const;
  std::vector<MatchRow> matches(std::uint64_t after_number = 0) const;
  std::optional<MatchRow> match(std::uint64_t number) const;
  std::vector<SlotRow> reported(std::uint64_t match) const;

  struct Origin {  // who made how much of what is here
    std::string account, worker;
    std::vector<std::string> models;
    std::uint64_t games = 0, positions = 0, quarantined = 0;
  };
  std::vector<Origin> origins() const;

  struct Quarantined {
    std::uint64_t number = 0;
    std::int64_t when = 0;
    GameId id{};
    std::string account, worker, reason, bytes;
  };
  void each_quarantined(const std::function<void(const Quarantined&)>& visit) const;

  // Verifies SQLite's own structure, every row's digest, and the totals against the rows. Each
  // fault is one sentence.
  std::vector<std::string> check() const;
  // A copy of the database as it is at one moment, while others write; a model's row comes only
  // with what it needs to be fetched again.
  void backup(const std::filesystem::path& to) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tabula
