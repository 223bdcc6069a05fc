// One run's games, models and matches in one SQLite file: the writing side.
//
// One process owns the file (ownership.h), one thread of it uses Store; everybody else reads
// through Reader (reader.h). Every call that changes something is one transaction, on the disk when
// it returns; one that throws has changed nothing. A full disk throws DiskFull, and the same call
// may be tried again. After a failed flush, which throws FlushFailed, nobody knows what the disk
// holds: the process must end, and opening the file again tells.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/data/rows.h"
#include "core/data/stored_game.h"
#include "core/store/errors.h"

namespace tabula {

class Store {
 public:
  // Makes the file if there is none; then `identity` says whose games it will hold. Brings an older
  // schema up to date. Throws Error for a file that is no store, of a newer schema, or, where an
  // identity is given, of another game.
  Store(const std::filesystem::path& file, const std::optional<Identity>& identity);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  const Identity& identity() const;

  // All of them in one transaction; a receipt for each, in order.
  std::vector<Receipt> add(std::span<const Arrival> arrivals);

  // An adjourned game to be played on, lent until `until` (seconds since 1970). Whoever finishes it
  // first sends it; it is lent again when the time is over. Nothing: there is none.
  std::optional<AdjournedGame> lend_adjourned(const std::string& account, std::int64_t now,
                                              std::int64_t until);
  // Gives up adjourned games that came before `before`: they are counted as never finished.
  std::uint64_t abandon_adjourned(std::int64_t before);

  // Moves matching games to quarantine, with the reason, and writes the drop into the log, through
  // which it reaches those who follow. Returns how many.
  std::uint64_t drop(const DropFilter& filter, const std::string& reason);

  // Lets the oldest games go until at most this much is kept, but no more than `most` games in one
  // call, and gives free pages back to the file system. Returns how many games went: 0 when there
  // is nothing left to do.
  std::uint64_t retire(const Keep& keep, std::uint64_t most);

  // A model whose file is in place (model_files.h). False if it is there already.
  bool add_model(const ModelRow& model);
  // Moves the champion from the one with this version, citing a decided match (0: none, where there
  // is no gate). False if it has moved meanwhile.
  bool move_champion(std::uint64_t expected_version, const std::string& model, std::uint64_t match);

  std::uint64_t open_match(const MatchRow& match);  // returns its number
  // A slot of an open match that is neither reported nor lent, not even to the same account.
  std::optional<std::uint32_t> lend_slot(std::uint64_t match, const std::string& account,
                                         std::int64_t now, std::int64_t until);
  // False if the slot was reported already: the first report counts.
  bool report_slot(std::uint64_t match, std::uint32_t slot, const std::string& result,
                   const std::string& account);
  // Closes a match; with a new champion if `promote`, in one transaction. False if it is closed
  // already, or the champion that would be replaced is no longer the one it was played against.
  bool decide_match(std::uint64_t match, const std::string& verdict, bool promote);

  // Moves the write-ahead log into the database, as far as readers allow. Called between
  // transactions when the log has grown; a file that is closed has none.
  void checkpoint();
  std::uint64_t log_bytes() const;  // of the write-ahead log

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tabula
