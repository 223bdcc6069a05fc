// A disk that is full or fails at the k-th call, for every k of a whole run.
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/resource.h>

#include <functional>
#include <set>

#include "core/base/digest.h"
#include "core/store/errors.h"
#include "tests/child.h"
#include "tests/failing_disk.h"
#include "tests/run.h"
#include "tests/scratch.h"
#include "tests/stores.h"

using namespace tabula;
using Fault = FailingDisk::Fault;

namespace {

// A run of a store that keeps a ledger of what it was promised.
class Run {
 public:
  Run(const std::string& path, FailingDisk& disk) : path_(path), disk_(disk) {}

  void play() {
    step([] {});
    for (std::uint64_t batch = 0; batch < 6; ++batch) {
      step([&] { add(batch * 4, batch * 4 + 6); });  // the last two come again
      if (batch % 3 == 1) step([&] { store_->checkpoint(); });
    }
    step([&] { store_->add_model({.id = hex(digest_of("m"))}); });
    step([&] { store_->move_champion(0, hex(digest_of("m")), 0); });
    step([&] { store_.reset(); });
    step([&] { add(30, 33); });
    store_.reset();
  }

  // Whatever was promised is there once, and nothing else.
  void check_promises() const {
    const Reader reader(path_);
    std::set<std::uint64_t> promised = promised_;
    for (const LogEntry& entry : entries_in(reader)) {
      const std::uint64_t number = number_of(entry.id);
      CHECK(entry.bytes == arrival(number).bytes);
      CHECK(seen_.contains(number));
      promised.erase(number);
    }
    CHECK(promised.empty());
    CHECK(reader.check().empty());
  }
  bool complete() const {
    return promised_.size() == 29 && Reader(path_).totals().games == 29 &&
           Reader(path_).champion().version == 1;
  }
  int full = 0, failed_flushes = 0, errors = 0;

 private:
  static std::uint64_t number_of(const GameId& id) { return id[15]; }

  void add(std::uint64_t from, std::uint64_t to) {
    const std::vector<Arrival> games = arrivals(from, to);
    for (std::uint64_t number = from; number < to; ++number) seen_.insert(number);
    for (std::size_t i = 0; const Receipt& receipt : store_->add(games)) {
      CHECK((receipt.fate == Fate::stored || receipt.fate == Fate::known));
      promised_.insert(from + i++);
    }
  }

  void step(const std::function<void()>& act) {
    try {
      if (!store_) store_ = std::make_unique<Store>(path_, kToy);
      act();
      return;
    } catch (const DiskFull&) {
      ++full;
      if (store_) check_unchanged();
    } catch (const FlushFailed&) {
      ++failed_flushes;
      if (store_) CHECK_THROWS_AS(store_->add(arrivals(0, 1)), FlushFailed);
      store_.reset();  // the process would end
      disk_.mend();
      if (!promised_.empty()) check_promises();
    } catch (const Error&) {
      ++errors;
    }
    disk_.mend();
    if (!store_) store_ = std::make_unique<Store>(path_, kToy);
    act();
  }

  void check_unchanged() const {
    if (!promised_.empty()) CHECK(Reader(path_).totals().games == promised_.size());
  }

  std::string path_;
  FailingDisk& disk_;
  std::unique_ptr<Store> store_;
  std::set<std::uint64_t> promised_, seen_;
};

struct Tally {
  long runs = 0;
  int full = 0, failed_flushes = 0, errors = 0;
};

Tally fail_everywhere(Fault fault) {
  FailingDisk disk;
  Tally tally;
  for (long k = 1;; ++k) {
    const Scratch folder;
    Run run(folder / "games.db", disk);
    disk.arm(fault, k);
    CAPTURE(k);
    CHECK_NOTHROW(run.play());
    const bool fired = disk.fired();
    disk.mend();
    run.check_promises();
    CHECK(run.complete());
    if (!fired) return tally;
    ++tally.runs;
    tally.full += run.full, tally.failed_flushes += run.failed_flushes, tally.errors += run.errors;
  }
}

}  // namespace

TEST_CASE("a disk that is full from the k-th write on loses nothing, and service goes on") {
  const Tally tally = fail_everywhere(Fault::full);
  MESSAGE(tally.runs << " places, " << tally.full << " times told that the disk is full");
  CHECK(tally.runs > 100);
  CHECK(tally.full >= tally.runs * 9 / 10);  // closing a file tells nobody
  CHECK(tally.failed_flushes == 0);
}

TEST_CASE("a flush that fails, at every place, ends the store's life and loses nothing promised") {
  const Tally tally = fail_everywhere(Fault::flush);
  MESSAGE(tally.runs << " places, " << tally.failed_flushes << " times told");
  CHECK(tally.runs > 10);
  CHECK(tally.failed_flushes >= tally.runs * 7 / 10);
}

TEST_CASE("a write, a cut or a mapping that fails once, at every place, loses nothing") {
  const Tally writes = fail_everywhere(Fault::io_error);
  CHECK(writes.runs > 100);
  CHECK(writes.errors > 100);
  CHECK(fail_everywhere(Fault::shared).runs >= 1);
  fail_everywhere(Fault::truncate);
}

TEST_CASE("a file that may not grow any more counts as a full disk") {
  const Scratch folder;
  const std::string said = in_child([&]() -> std::string {
    signal(SIGXFSZ, SIG_IGN);
    Store store(folder / "games.db", kToy);
    store.add(arrivals(0, 10));
    const rlimit little{300000, RLIM_INFINITY}, much{RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &little);
    std::uint64_t number = 10;
    try {
      for (; number < 10000; number += 10) store.add(arrivals(number, number + 10));
    } catch (const DiskFull&) {
      setrlimit(RLIMIT_FSIZE, &much);
      const bool kept = Reader(folder / "games.db").totals().games == number;
      store.add(arrivals(number, number + 10));
      return kept && Reader(folder / "games.db").totals().games == number + 10 ? "kept" : "lost";
    }
    return "it was written";
  });
  CHECK(said == "kept");
  CHECK(Reader(folder / "games.db").check().empty());
}
