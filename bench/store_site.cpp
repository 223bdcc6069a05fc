#include "bench/store_site.h"

#include <unistd.h>

#include <algorithm>
#include <mutex>

#include "bench/alternation.h"
#include "core/base/digest.h"
#include "core/data/examples.h"
#include "core/search/game_group.h"

namespace tabula {
namespace {

std::mutex folders_mutex;
std::vector<std::filesystem::path> folders;  // that are there now

std::filesystem::path made_keys(const std::filesystem::path& folder) {
  new_store_keys(folder);
  new_client_keys(folder, "worker", Role::worker);
  new_client_keys(folder, "viewer", Role::viewer);
  return folder;
}

ServiceConfig site_config(const std::filesystem::path& database, const std::filesystem::path& keys,
                          bool check_games) {
  ServiceConfig config;
  config.database = database;
  config.listen = {"tcp://127.0.0.1:*"};
  config.keys = keys;
  config.check_games = check_games;
  return config;
}

}  // namespace

BenchFolder::BenchFolder(const std::filesystem::path& in) {
  std::string name =
      ((in.empty() ? std::filesystem::path(".") : in) / "tabula-bench-XXXXXX").string();
  if (!mkdtemp(name.data())) throw Error(in.string() + ": cannot make a folder there.");
  path_ = name;
  const std::lock_guard lock(folders_mutex);
  folders.push_back(path_);
}

BenchFolder::~BenchFolder() {
  const std::lock_guard lock(folders_mutex);
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  std::erase(folders, path_);
}

void BenchFolder::remove_all() {
  const std::lock_guard lock(folders_mutex);
  std::error_code ignored;
  for (const std::filesystem::path& folder : folders) std::filesystem::remove_all(folder, ignored);
}

StoreSite::StoreSite(const BenchFolder& folder, const std::string& name, const Rules& rules,
                     const StoreBench& config, bool check_games)
    : database_(folder / (name + ".db")),
      keys_(made_keys(folder / (name + ".keys"))),
      queued_(config.queued),
      server_(site_config(database_, keys_, check_games), RulesPtr(&rules, [](const Rules*) {}),
              rules.name()),
      thread_([this] { server_.run(); }) {
  CourierConfig courier;
  courier.address = address();
  courier.keys = read_client_keys(keys_ / "worker.key");
  for (int i = 0; i < config.workers; ++i) {
    courier.worker = std::to_string(i);
    courier.outbox = folder / (name + ".outbox" + courier.worker);
    couriers_.push_back(std::make_unique<Courier>(courier));
  }
}

StoreSite::~StoreSite() {
  couriers_.clear();
  server_.stop();
  thread_.join();
}

ClientKeys StoreSite::viewer() const { return read_client_keys(keys_ / "viewer.key"); }

double StoreSite::ingest(double seconds, const NextGame& next) {
  const double began = wall_seconds();
  std::uint64_t games = 0;
  while (wall_seconds() - began < seconds) {
    bool idle = true;
    for (const auto& courier : couriers_)
      for (std::size_t pending = courier->pending(); pending < std::size_t(queued_); ++pending) {
        courier->deliver(next());
        ++games;
        idle = false;
      }
    if (idle) usleep(200);
  }
  for (const auto& courier : couriers_)
    if (!courier->wait_until_empty(60'000)) throw Error("the store did not keep up.");
  delivered_ += games;
  return double(games) / (wall_seconds() - began);
}

GameId first_id() {
  GameId id{};
  fill_random(std::span(id).first(10));
  return id;
}

void count_up(GameId& id) {
  for (std::size_t i = id.size(); i-- > 10 && ++id[i] == 0;) {}
}

GameSource::GameSource(const Rules& rules, int games) : id_(first_id()) {
  GameConfig config;
  config.search.simulations = 16;
  config.opening.plies = 4;
  std::uint64_t number = 0;
  const auto next = [&]() -> std::optional<GameTicket> {
    if (number == std::uint64_t(games)) return {};
    ++number;
    return GameTicket{number, number};
  };
  const auto finished = [&](const GameRecord& record) {
    games_.push_back({.game = rules.name(),
                      .rules = rules.fingerprints().rules,
                      .models = {"uniform"},
                      .settings = "search = puct\nsimulations = 16\n",
                      .worker = "bench/1",
                      .record = record});
  };
  GameGroup group(rules, config, games, next, finished);
  const auto evaluator = uniform_evaluator();
  while (group.round(*evaluator) > 0) {}
  for (const StoredGame& game : games_) {
    bytes_ += double(encode_game(game).size()) / double(games_.size());
    positions_ +=
        double(std::ranges::count_if(game.record.plies, is_example)) / double(games_.size());
  }
}

OutboxGame GameSource::next() {
  StoredGame& game = games_[at_++ % games_.size()];
  count_up(id_);
  game.id = id_;
  return {id_, encode_game(game)};
}

}  // namespace tabula
