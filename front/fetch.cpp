// Brings a run home: games and models into a database of one's own, curves as tables.
#include <fstream>
#include <iostream>
#include <semaphore>
#include <sstream>

#include "core/base/digest.h"
#include "core/base/files.h"
#include "core/cli/program.h"
#include "core/data/examples.h"
#include "core/data/game_codec.h"
#include "core/store/model_files.h"
#include "core/store/ownership.h"
#include "core/store/reader.h"
#include "core/store/store.h"
#include "core/wire/follower.h"
#include "core/wire/model_transfer.h"
#include "front/commands.h"
#include "front/run/run_status.h"
#include "front/run/train_view.h"

namespace tabula {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kPatienceMs = 10'000;

struct FetchOptions {
  std::string address, out, key, models = "champion";
  bool no_games = false;
  int every = 0;

  bool parse(const Args& args) {
    Options options("tabula fetch ADDRESS --out DIR [options]",
                    "Brings games, models and curves of a running store home, into a folder that "
                    "'tabula play', 'eval' and 'db' take as a run. Again: only what is new.");
    options.argument("ADDRESS", address)
        .add("out", out, "the folder; made if it is not there")
        .add("models", models, "champion (and the newest), or all")
        .flag("no-games", no_games, "leave the games there")
        .add("every", every, "again after so many seconds, until it is stopped; 0: once")
        .add("key", key, "this client's key file, where the store wants one");
    if (!options.parse(args)) return false;
    if (out.empty()) throw Error("where to? --out DIR names a folder.");
    if (models != "champion" && models != "all")
      throw Error("--models takes champion or all, not '" + models + "'.");
    if (every < 0) throw Error("--every takes a number of seconds.");
    return true;
  }
};

class Fetching {
 public:
  explicit Fetching(const FetchOptions& options)
      : options_(options),
        keys_(options.key.empty() ? std::nullopt : std::optional(read_client_keys(options.key))),
        remote_(options.address, keys_),
        welcome_(remote_.ask<Welcome>(Hello{"fetch", ""}, kPatienceMs)),
        folder_((fs::create_directories(options.out), options.out)),
        database_(folder_ / "games.db"),
        ownership_(database_),
        store_(database_, Identity{welcome_.game, welcome_.rules, welcome_.game}),
        files_(database_) {}

  void run() {
    const RunStatus status = RunWatch(options_.address, keys_).look(kPatienceMs);
    const std::size_t models = fetch_models(status);
    write_curves(status);
    const std::uint64_t games = options_.no_games ? 0 : fetch_games();
    std::cout << games << " games and " << models << " models are new in " << folder_.string()
              << ".\nNow: tabula play " << welcome_.game << " --run " << folder_.string() << "\n";
  }

 private:
  std::size_t fetch_models(const RunStatus& status) {
    std::size_t fetched = 0;
    for (const ModelRow& model : status.models) {
      const bool wanted = options_.models == "all" || model.id == status.champion ||
                          &model == &status.models.back();
      if (!wanted || Reader(database_).model(model.id)) continue;
      if (!files_.has(model.id)) {
        files_.receive(model.id, 0, fetch_model(remote_, keys_, model.id));
        files_.complete(model.id);
      }
      store_.add_model(model);
      ++fetched;
    }
    const Champion before = Reader(database_).champion();
    if (!status.champion.empty() && before.model != status.champion)
      store_.move_champion(before.version, status.champion, 0);
    return fetched;
  }

  // Up to the newest game that was there when we asked.
  std::uint64_t fetch_games() {
    std::uint64_t cursor = fetched_before(), stored = 0;
    Follower follower(options_.address, keys_, cursor);
    while (cursor < welcome_.head) {
      const std::optional<LogPage> page = follower.next(kPatienceMs);
      if (!page) throw Error("the store does not answer; try again, and it goes on from here.");
      std::vector<Arrival> games;
      for (const LogEntry& entry : page->entries)
        if (entry.kind == LogEntry::Kind::game) games.push_back(arrival_of(entry));
      for (const Receipt& receipt : store_.add(games)) stored += receipt.fate == Fate::stored;
      cursor = page->next;
      write_file_atomically(cursor_file(), std::to_string(cursor) + " " + source() + "\n");
    }
    return stored;
  }

  // How far the games of this very store were brought. Anything else: not at all, which costs time,
  // for games that are known are not stored again.
  std::uint64_t fetched_before() const {
    std::ifstream file(cursor_file());
    std::uint64_t cursor = 0;
    std::string from;
    return file >> cursor >> from && from == source() ? cursor : 0;
  }
  // Behind one address (of a forwarded port, say) there may be another store later: its key tells.
  std::string source() const { return options_.address + (keys_ ? "#" + hex(keys_->store) : ""); }
  fs::path cursor_file() const { return folder_ / "fetched"; }

  Arrival arrival_of(const LogEntry& entry) const {
    const StoredGame game = decode_game(entry.bytes);
    if (game.rules != welcome_.rules) throw Error("the store sent a game of other rules.");
    return {.id = entry.id,
            .bytes = entry.bytes,
            .account = "fetched",
            .worker = game.worker,
            .models = game.models,
            .positions = std::uint32_t(std::ranges::count_if(game.record.plies, is_example))};
  }

  void write_curves(const RunStatus& status) const {
    std::ostringstream models, ratings;
    models << "number,step,made,id\n";
    for (const ModelRow& model : status.models)
      models << model.number << "," << model.step << "," << model.made << "," << model.id << "\n";
    ratings << "match,elo\n";
    const std::vector<double> curve = rating_curve(status);
    for (std::size_t i = 0; i < curve.size(); ++i) ratings << i << "," << curve[i] << "\n";
    write_file_atomically(folder_ / "models.csv", models.str());
    write_file_atomically(folder_ / "ratings.csv", ratings.str());
  }

  const FetchOptions& options_;
  std::optional<ClientKeys> keys_;
  Client remote_;
  Welcome welcome_;
  fs::path folder_, database_;
  Ownership ownership_;
  Store store_;
  ModelFiles files_;
};

}  // namespace

int fetch_command(const Args& args) {
  FetchOptions options;
  if (!options.parse(args)) return 0;
  if (options.every == 0) {
    Fetching(options).run();
    return 0;
  }
  std::counting_semaphore<> stop(0);
  const StopSignals signals([&] { stop.release(); });
  do try {
      Fetching(options).run();
      std::cout.flush();
    } catch (const Error& e) {
      std::cerr << "tabula: " << e.what() << " It is tried again.\n";
    }
  while (!stop.try_acquire_for(std::chrono::seconds(options.every)));
  return 0;
}

}  // namespace tabula
