// Plays games against itself with the newest model and sends each to the store.
#include <sched.h>

#include <atomic>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "core/base/clock.h"
#include "core/base/digest.h"
#include "core/base/files.h"
#include "core/base/health.h"
#include "core/cli/program.h"
#include "core/loop/model_watch.h"
#include "core/loop/self_player.h"
#include "core/wire/left_outboxes.h"
#include "core/wire/model_transfer.h"
#include "selfplay/config.h"
#include "selfplay/report.h"
#include "selfplay/sinks.h"

namespace {
using namespace tabula;
namespace fs = std::filesystem;

constexpr auto kTurn = std::chrono::milliseconds(50);
constexpr std::int64_t kLastWaitMs = 5000;  // for the store, at the end
constexpr std::int64_t kFirstReportMs = 2000;
constexpr std::int64_t kTakeAdjournedMs = 60000, kEnoughMs = 500, kAwayMs = 30000;
constexpr std::uint64_t kLongestModel = std::uint64_t{1} << 30;

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

// A low priority is not enough: beside a thread of nice 10 a trainer got two thirds of a core.
void run_in_background() {
  const sched_param none{};
  if (sched_setscheduler(0, SCHED_IDLE, &none) != 0)
    log("cannot step back behind other programs, goes on beside them");
}

std::string new_instance() {
  std::array<std::uint8_t, 8> bytes;
  fill_random(bytes);
  return hex(bytes);
}

// A model that is asked for by name and never changes; nothing: it must be watched for.
PlayModelPtr fixed_model(const SelfPlayOptions& options, const Rules& rules, ModelBook& book) {
  if (options.model == "random" || options.model == "uniform") return book.open("uniform", nullptr);
  if (options.model == "rollout") return book.open("rollout", nullptr);
  if (!fs::is_regular_file(options.model)) return nullptr;
  const std::string bytes = read_file(options.model, kLongestModel);
  return book.open(model_id(bytes), net_from(bytes, options.model, rules));
}

void check_model_name(const std::string& model) {
  Digest digest;
  for (const char* word : {"latest", "champion", "random", "uniform", "rollout"})
    if (model == word) return;
  if (!fs::is_regular_file(model) && !from_hex(model, digest))
    throw Error("--model " + model +
                ": there is no such file, and it is neither a model's id (64 hexadecimal digits) "
                "nor latest, champion, random or rollout.");
}

SelfPlayerConfig player_config(const SelfPlayOptions& options) {
  SelfPlayerConfig config{.play = options.play,
                          .threads = options.threads,
                          .seed = options.seed,
                          .instance = options.worker.empty() ? new_instance() : options.worker,
                          .worker = "",
                          .most_games = options.games};
  config.worker = config.instance;
  return config;
}

// Into a file, without a store.
int play_to_file(const SelfPlayOptions& options, const Rules& rules, std::atomic<bool>& stopped) {
  ModelBook book;
  const PlayModelPtr model = fixed_model(options, rules, book);
  if (!model) throw Error("--out needs a --model that is a file, random or rollout.");
  FileSink sink(options.out, rules);
  SelfPlayer player(rules, player_config(options), book, sink);
  player.use(model);
  player.start();
  while (!stopped && !player.done()) std::this_thread::sleep_for(kTurn);
  player.stop();
  sink.finish();
  log("wrote games",
      {{"games", std::to_string(player.figures().play.games)}, {"file", options.out}});
  return 0;
}

// What self-play does beside playing, until it is told to stop.
class Errands {
 public:
  // `awaits`: there may be a network later, and rollouts until then.
  Errands(const SelfPlayOptions& options, SelfPlayer& player, Courier& courier, Client& store,
          bool awaits)
      : options_(options),
        player_(player),
        courier_(courier),
        store_(store),
        report_(player.largest_batch(), options.threads),
        report_ms_(std::min(kFirstReportMs, 1000 * std::int64_t(options.report_seconds))),
        awaits_(awaits) {}

  void turn(std::int64_t model_age, double model_lag) {
    const std::int64_t now = clock_ms();
    if (awaits_ && model_age < 0 && now >= next_enough_) hold_if_enough(now);
    if (model_age >= 0) player_.hold(false);
    if (now >= next_adjourned_) take_adjourned(now);
    say_trouble();
    say_ready(model_age >= 0);
    if (now < next_report_) return;
    next_report_ = now + report_ms_;
    report_ms_ = std::min(2 * report_ms_, 1000 * std::int64_t(options_.report_seconds));
    report_.take(player_.figures(), double(now) / 1000, processor_seconds());
    if (!std::exchange(begun_, true)) return;
    const CourierStats stats = courier_.stats();
    LogFields fields = report_.fields();
    fields.emplace_back("model_age", std::to_string(model_age));
    fields.emplace_back("waiting", std::to_string(stats.waiting));
    log("plays", fields);
    std::vector<Beat::Figure> figures = report_.figures();
    figures.push_back({"model_age", double(model_age)});
    figures.push_back({"model_lag", model_lag});
    figures.push_back({"waiting", double(stats.waiting)});
    figures.push_back({"holding", double(stats.holding)});
    figures.push_back({"refused", double(stats.refused)});
    courier_.say(std::move(figures));
  }

 private:
  // Games that others left, as many as there is room for.
  void take_adjourned(std::int64_t now) {
    next_adjourned_ = now + kTakeAdjournedMs;
    try {
      const auto room = std::size_t(options_.threads * options_.play.games_per_thread);
      for (std::size_t i = player_.waiting_to_go_on(); i < room; ++i) {
        const auto game = store_.ask<Adjourned>(TakeAdjourned{}, 2000).game;
        if (game.empty()) return;
        player_.play_on(decode_game(game));
      }
    } catch (const Error& error) {
      if (dynamic_cast<const RefusedByStore*>(&error)) log(error.what());
    }
  }

  // Rollouts are a beginning; beyond that they only fill the store.
  void hold_if_enough(std::int64_t now) {
    next_enough_ = now + kEnoughMs;
    const std::uint64_t most = options_.play.rollout_positions;
    if (most == 0) return;
    try {
      const auto status = store_.ask<Status>(AskStatus{}, 2000).json;
      const bool enough =
          nlohmann::json::parse(status).at("totals").at("seen_positions").get<std::uint64_t>() >=
          most;
      if (enough && !std::exchange(said_enough_, true))
        log("waits for a network: there are games enough without one");
      player_.hold(enough);
    } catch (const Error&) {  // the courier says that the store is away
    }
  }

  // Ready: it reaches the store and has a network, or plays by rollouts because there is none.
  void say_ready(bool has_model) const {
    const CourierStats stats = courier_.stats();
    const std::string why = stats.silent_ms > kAwayMs    ? "the store does not answer"
                            : stats.holding              ? "the outbox is full"
                            : !has_model && said_enough_ ? "there is no network yet"
                                                         : "";
    say_health(why.empty(), why);
  }

  void say_trouble() {
    const CourierStats stats = courier_.stats();
    if (stats.trouble != trouble_)
      log((trouble_ = stats.trouble).empty() ? "all is well again" : trouble_);
    if (std::exchange(holding_, stats.holding) != stats.holding)
      log(stats.holding ? "begins no new games: the outbox is full until the store takes some"
                        : "begins new games again");
  }

  const SelfPlayOptions& options_;
  SelfPlayer& player_;
  Courier& courier_;
  Client& store_;
  PlayReport report_;
  std::int64_t report_ms_;  // between reports: the first come sooner
  std::int64_t next_report_ = 0, next_adjourned_ = 0;
  std::string trouble_;
  std::int64_t next_enough_ = 0;
  bool holding_ = false, begun_ = false, said_enough_ = false, awaits_;
};

int play_for_store(const SelfPlayOptions& options, const Rules& rules, Client& store,
                   std::atomic<bool>& stopped) {
  const std::string address = options.link.address();
  const std::optional<ClientKeys> keys = options.link.keys();
  const SelfPlayerConfig config = player_config(options);
  ModelBook book;
  CourierConfig courier_config;
  courier_config.address = address;
  courier_config.keys = keys;
  courier_config.worker = config.worker;
  courier_config.outbox = options.outbox;
  courier_config.outbox_bytes = std::uint64_t(options.outbox_megabytes) << 20;
  const std::unique_ptr<Courier> courier = make_courier(courier_config, rules);
  std::optional<LeftOutboxes> left;
  if (options.outbox.empty()) left.emplace(courier_config.outbox.parent_path(), 0, courier_config);
  CourierSink sink(*courier);
  SelfPlayer player(rules, config, book, sink);
  PlayModelPtr model = fixed_model(options, rules, book);
  const bool fixed = model != nullptr;
  const bool named = !fixed && options.model != "latest" && options.model != "champion";
  if (named) store.ask<Piece>(Fetch{options.model, 0});  // throws unless the store has it
  player.hold(named);                                    // nobody else plays in its place
  player.use(fixed ? model : book.open("rollout", nullptr));
  std::optional<ModelWatch> watch;
  if (!fixed)
    watch.emplace(rules, options.model, address, keys, book,
                  [&](PlayModelPtr newer) { player.use(std::move(newer)); });
  player.start();
  log("plays", {{"game", rules.name()},
                {"threads", std::to_string(options.threads)},
                {"worker", config.worker}});
  Errands errands(options, player, *courier, store, !fixed && !named);
  while (!stopped && !player.done()) {
    errands.turn(watch ? watch->age() : -1, watch ? watch->lag() : 0);
    if (left) left->tend();
    std::this_thread::sleep_for(kTurn);
  }
  watch.reset();
  player.stop();
  if (!courier->settle_outbox())
    log("the disk is full: games that nobody was told of are lost",
        {{"games", std::to_string(courier->pending() - courier->stats().waiting)}});
  const bool delivered = courier->wait_until_empty(kLastWaitMs);
  const CourierStats stats = courier->stats();
  log("stopped", {{"games", std::to_string(player.figures().play.games)},
                  {"adjourned", std::to_string(stats.adjourned)},
                  {"waiting", std::to_string(stats.waiting)}});
  if (!delivered) log("the outbox keeps the games that wait; the next worker delivers them");
  return 0;
}

int selfplay(const Args& args) {
  SelfPlayOptions options;
  if (!options.parse(args)) return 0;
  check_model_name(options.model);
  set_log_format(parse_log_format(options.link.log_format));
  set_health_file(options.link.health);
  std::optional<Client> store;
  std::atomic<bool> stopped = false, connected = false;
  const StopSignals signals([&] {
    stopped = true;
    if (connected) store->wake();
  });
  if (options.background) run_in_background();
  if (!options.out.empty()) {
    if (options.link.game.empty()) throw Error("whose games? --game NAME says it.");
    const RulesPtr rules = options.link.find_game(options.link.game);
    options = {};
    options.parse(args, rules.get());
    return play_to_file(options, *rules, stopped);
  }
  store.emplace(options.link.address(), options.link.keys());
  connected = true;
  const RulesPtr rules = options.link.greet(*store, "selfplay", [&] { return !stopped; });
  if (!rules) return 0;
  options = {};
  options.parse(args, rules.get());
  return play_for_store(options, *rules, *store, stopped);
}

}  // namespace

int main(int argc, char** argv) { return tabula::run_program("selfplay", argc, argv, selfplay); }
