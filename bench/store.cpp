#include "bench/store.h"

#include <sys/resource.h>

#include "bench/alternation.h"
#include "bench/raw_commits.h"
#include "bench/report.h"
#include "bench/store_open.h"
#include "bench/store_site.h"
#include "core/base/digest.h"
#include "core/data/window.h"
#include "core/wire/follower.h"

namespace tabula {
namespace {

constexpr int kPayload = 16 << 10, kGroup = 64, kRows = 256;

double process_seconds() {  // of all threads
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return double(time.tv_sec) + double(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::string random_payload() {
  std::string bytes(kPayload, '\0');
  fill_random({reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size()});
  return bytes;
}

struct Ingest {
  std::vector<double> rates, raw, cpu_us;
};

// A repeat is the yardstick, then the whole path.
Ingest measure_ingest(StoreSite& site, RawCommits& yardstick, const std::string& blob,
                      const StoreSite::NextGame& next, const StoreBench& config) {
  Ingest found;
  const double seconds = config.milliseconds * 1e-3;
  site.ingest(seconds / 2, next);  // warm
  for (int i = 0; i < config.repeats; ++i) {
    found.raw.push_back(rate_of(wall_seconds, seconds, [&] {
      yardstick.commit(blob, kGroup);
      return kGroup;
    }));
    const std::uint64_t before = site.delivered();
    const double cpu = process_seconds();
    found.rates.push_back(site.ingest(seconds, next));
    found.cpu_us.push_back((process_seconds() - cpu) * 1e6 / double(site.delivered() - before));
  }
  return found;
}

struct Stream {
  double games = 0, bytes = 0, seconds = 0;
};

// Everything that a store has, as a trainer reads it.
Stream stream_all(const StoreSite& site) {
  Follower follower(site.address(), site.viewer(), 0);
  Stream found;
  const double began = wall_seconds();
  while (found.games < double(site.delivered())) {
    const std::optional<LogPage> page = follower.next(60'000);
    if (!page) throw Error("the store did not keep up.");
    found.games += double(page->entries.size());
    for (const LogEntry& entry : page->entries) found.bytes += double(entry.bytes.size());
  }
  found.seconds = wall_seconds() - began;
  return found;
}

class StoreReport {
 public:
  explicit StoreReport(const StoreBench& config)
      : report_({"store",
                 "games from " + std::to_string(config.workers) +
                     " workers to the disk, and from there to a trainer",
                 "CURVE, outboxes and database flushed; the yardstick is SQLite alone with " +
                     std::to_string(kGroup) + " rows a transaction, in turn with the store",
                 {{"workers", config.workers},
                  {"queued", config.queued},
                  {"repeats", config.repeats},
                  {"milliseconds", config.milliseconds}},
                 {{"what", "what", -34},
                  {"rate", "rate", 10},
                  {"unit", "unit", -12},
                  {"of yardstick", "share", 12, 2},
                  {"CPU us/game", "cpu_us", 11},
                  {"note", "note", -40}}},
                config.json) {}

  void ingest(const std::string& what, const Ingest& found, const std::string& note) {
    report_.row({what, spread_of(found.rates), std::string("games/s"),
                 ratio_of(found.rates, found.raw), spread_of(found.cpu_us), note});
  }
  void rate(const std::string& what, const Spread& rate, const std::string& unit,
            const std::string& note = "") {
    report_.row({what, rate, unit, std::monostate(), std::monostate(), note});
  }
  void finish() const { report_.finish(); }

 private:
  Report report_;
};

void report_stream(StoreReport& report, const std::string& what, const StoreSite& site,
                   int repeats) {
  std::vector<double> games, megabytes;
  for (int i = 0; i < repeats; ++i) {
    const Stream found = stream_all(site);
    games.push_back(found.games / found.seconds);
    megabytes.push_back(found.bytes / found.seconds * 1e-6);
  }
  report.rate(what, spread_of(megabytes), "MB/s");
  report.rate(what, spread_of(games), "games/s");
}

void measure_payloads(const Rules& rules, const StoreBench& config, StoreReport& report) {
  const BenchFolder folder(config.folder);
  StoreSite site(folder, "payloads", rules, config, false);
  RawCommits yardstick(folder / "yardstick.db");
  const std::string blob = random_payload();
  GameId id = first_id();
  const auto next = [&] {
    count_up(id);
    return OutboxGame{id, blob};
  };
  const Ingest found = measure_ingest(site, yardstick, blob, next, config);
  report.ingest("ingest, 16 KiB that do not shrink", found, "no game to check");
  report_stream(report, "stream, 16 KiB", site, config.repeats);
}

void measure_games(const Rules& rules, const StoreBench& config, StoreReport& report) {
  const BenchFolder folder(config.folder);
  StoreSite site(folder, rules.name(), rules, config, true);
  RawCommits yardstick(folder / "yardstick.db");
  GameSource source(rules, 500);
  const std::string blob = random_payload().substr(0, std::size_t(source.bytes()));
  const Ingest found = measure_ingest(
      site, yardstick, blob, [&] { return source.next(); }, config);
  report.ingest("ingest, " + rules.name(), found,
                "all checks, " + std::to_string(int(source.bytes())) + " bytes a game");
  report_stream(report, "stream, " + rules.name(), site, config.repeats);

  Window window(WindowConfig{});
  std::uint64_t sequence = 0;
  for (const StoredGame& game : source.games()) window.add(++sequence, game.record);
  ExampleWriter writer(rules, {});
  TrainingBatch batch;
  Rng rng(1);
  std::vector<double> rates;
  for (int i = 0; i < config.repeats; ++i)
    rates.push_back(rate_of(processor_seconds, config.milliseconds * 1e-3, [&] {
      batch.clear();
      window.fill(writer, rng, kRows, batch);
      return kRows;
    }));
  report.rate("examples, " + rules.name(), spread_of(rates), "positions/s",
              "symmetries and all targets, one core");
}

}  // namespace

void bench_store(const std::vector<RulesPtr>& games, const StoreBench& config) {
  StoreReport report(config);
  measure_payloads(*games.front(), config, report);
  for (const RulesPtr& rules : games) measure_games(*rules, config, report);
  if (config.large > 0) {
    const LargeStore found = measure_large_store(*games.front(), config);
    report.rate("open after kill -9", spread_of(found.open_ms), "ms",
                std::to_string(found.positions) + " positions, " +
                    std::to_string(found.log_bytes >> 20) + " MiB in the log, nothing cached");
    report.rate("append, large", spread_of(found.large_rate), "games/s");
    report.rate("append, empty", spread_of(found.empty_rate), "games/s",
                "in turn with the large one");
    Spread share = ratio_of(found.large_rate, found.empty_rate);
    for (double* part : {&share.median, &share.low, &share.high}) *part *= 100;
    report.rate("large against empty", share, "%");
  }
  report.finish();
}

}  // namespace tabula
