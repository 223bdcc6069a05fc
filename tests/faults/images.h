// Disks as a fault leaves them, held against what was promised before.
#pragma once
#include <doctest/doctest.h>

#include "core/store/store.h"
#include "tests/faults/ledger.h"
#include "tests/faults/suite.h"

namespace tabula {

// Sanitizers want to be loaded first themselves.
inline constexpr bool kPreloads = std::string_view(TABULA_SANITIZE).empty();

// The environment of a program whose doings on a disk are written down.
inline std::vector<std::string> recorded(const std::string& folder, const std::string& log) {
  return {std::string("LD_PRELOAD=") + TABULA_SHIM, "TABULA_DISK=" + folder,
          "TABULA_DISK_LOG=" + log};
}

// A folder for the image of a disk, which nobody needs to flush; gone with the test.
class Image {
 public:
  Image() : path_(memory_folder() / ("tabula_image_" + std::to_string(getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_ / "store");
  }
  ~Image() { std::filesystem::remove_all(path_); }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

struct ImageTally {
  int images = 0, with_games = 0, resent = 0;
  FaultLedger::Count count;
};

// Opens what the disk holds as the programs would, and holds it against the promises.
inline void check_image(const std::filesystem::path& image,
                        const std::filesystem::path& outbox_folder, const FaultLedger& ledger,
                        const Promises& promises, ImageTally& tally) {
  const std::filesystem::path database = image / "store/games.db";
  Outbox outbox(outbox_folder, 1 << 30);
  CHECK(outbox.damaged() == 0);  // a cut is no damage
  std::vector<Arrival> waiting;
  FaultLedger::Found in_outbox(ledger), found(ledger);
  for (const GameId& id : outbox.waiting()) {
    in_outbox.see(id, *outbox.find(id), true);
    waiting.push_back(FaultGames::arrival({id, *outbox.find(id)}));
  }
  CHECK(in_outbox.count == FaultLedger::Count{});
  { const Store opened(database, FaultGames::identity()); }
  found.see_all(Reader(database));
  found.require(0, promises.acked, Reader(database).totals().retired);
  CHECK(found.count == FaultLedger::Count{});
  CHECK(Reader(database).check() == std::vector<std::string>{});
  CHECK(ledger.fault_in_models(database, Reader(database), promises.models) == "");
  // The worker sends again what it has; now everything that it ever promised is there, once.
  {
    Store store(database, FaultGames::identity());
    for (const Receipt& receipt : store.add(waiting)) tally.resent += receipt.fate == Fate::known;
  }
  FaultLedger::Found all(ledger);
  all.see_all(Reader(database));
  all.require(0, promises.saved, Reader(database).totals().retired);
  CHECK(all.count == FaultLedger::Count{});
  tally.count.lost += all.count.lost + found.count.lost;
  tally.count.duplicated += all.count.duplicated;
  tally.count.altered += all.count.altered;
  tally.count.phantom += all.count.phantom;
  tally.with_games += all.games() > 0;
  ++tally.images;
}

}  // namespace tabula
