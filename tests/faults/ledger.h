// The exact ledger: every game that was made and every promise about it, against what a store
// holds.
#pragma once
#include <filesystem>
#include <map>
#include <ostream>
#include <string>

#include "core/base/digest.h"
#include "core/store/model_files.h"
#include "core/store/reader.h"
#include "tests/faults/games.h"
#include "tests/faults/marks.h"
#include "tests/stores.h"

namespace tabula {

class FaultLedger {
 public:
  explicit FaultLedger(std::uint64_t seed, const Rules& rules = FaultGames::rules())
      : games_(seed, rules) {}

  // All games that this worker can have made: `saved` ones, and a batch that it had begun.
  void made(std::uint64_t worker, std::uint64_t saved) {
    std::uint64_t& have = made_[worker];
    for (; have < saved + 64; ++have) {
      OutboxGame game = games_.game(worker, have);
      expected_[game.id] = {worker, have, std::move(game.bytes)};
    }
  }

  struct Count {
    std::uint64_t lost = 0, duplicated = 0, altered = 0, phantom = 0;
    bool operator==(const Count&) const = default;
    std::string text() const {
      return "lost " + std::to_string(lost) + ", duplicated " + std::to_string(duplicated) +
             ", altered " + std::to_string(altered) + ", phantom " + std::to_string(phantom);
    }
    friend std::ostream& operator<<(std::ostream& out, const Count& count) {
      return out << count.text();
    }
  };

  // Takes down games that were found somewhere; those in one place should be there once.
  class Found {
   public:
    explicit Found(const FaultLedger& ledger) : ledger_(ledger) {}
    void see(const GameId& id, std::string_view bytes, bool once) {
      const auto game = ledger_.expected_.find(id);
      if (game == ledger_.expected_.end()) {
        ++count.phantom;
        return;
      }
      if (game->second.bytes != bytes) ++count.altered;
      if (std::uint64_t& times = times_[{game->second.worker, game->second.number}]; once)
        count.duplicated += ++times > 1;
      else
        times = std::max<std::uint64_t>(times, 1);
    }
    void see_all(const Reader& reader) {
      for (const LogEntry& entry : entries_in(reader, 0, 1 << 20))
        if (entry.kind == LogEntry::Kind::game) see(entry.id, entry.bytes, true);
    }
    // Every game below the number should have been found, from the first that was not retired.
    void require(std::uint64_t worker, std::uint64_t number, std::uint64_t first = 0) {
      for (std::uint64_t i = first; i < number; ++i) count.lost += !times_.contains({worker, i});
    }
    std::size_t games() const { return times_.size(); }
    Count count;

   private:
    const FaultLedger& ledger_;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> times_;
  };

  const FaultGames& games() const { return games_; }

  // Models: each row has its file, whole, and all that were promised are there.
  std::string fault_in_models(const std::filesystem::path& database, const Reader& reader,
                              std::uint64_t promised) const {
    const ModelFiles files(database);
    for (const ModelRow& row : reader.models()) files.verify(row.id);
    for (std::uint64_t i = 0; i < promised; ++i)
      if (!reader.model(hex(digest_of(games_.model(i)))))
        return "model " + std::to_string(i) + " is lost";
    return "";
  }

 private:
  struct Made {
    std::uint64_t worker, number;
    std::string bytes;
  };
  FaultGames games_;
  std::map<std::uint64_t, std::uint64_t> made_;  // by worker
  std::map<GameId, Made> expected_;
};

}  // namespace tabula
