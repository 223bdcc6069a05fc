// Starts and watches a whole training on this machine.
#include <sys/ioctl.h>
#include <unistd.h>

#include <atomic>
#include <deque>
#include <iostream>
#include <set>
#include <thread>

#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/cli/program.h"
#include "core/data/safetensors.h"
#include "core/loop/check_range.h"
#include "core/loop/store_link.h"
#include "core/nn/torch_library.h"
#include "core/service/defaults.h"
#include "core/store/reader.h"
#include "core/wire/left_outboxes.h"
#include "front/commands.h"
#include "front/run/lockstep.h"
#include "front/run/run_folder.h"
#include "front/run/supervised.h"
#include "front/run/train_view.h"
#include "front/train_options.h"
#include "front/train_summary.h"

namespace tabula {
namespace {

constexpr auto kTurn = std::chrono::milliseconds(100);
constexpr std::int64_t kScreenMs = 1000, kLineMs = 15000;
constexpr std::int64_t kPromotionMs = 5000;  // for the last model
constexpr double kStartingSeconds = 20;      // in which not everybody has to be there

// Of a run that other machines take part in; otherwise none.
std::filesystem::path keys_of(const TrainOptions& options, const RunFolder& folder) {
  if (options.listen.empty()) return {};
  namespace fs = std::filesystem;
  const fs::path keys =
      fs::absolute(options.keys.empty() ? folder / "keys" : fs::path(options.keys));
  if (fs::exists(keys / "store.key")) return keys;
  const fs::path made = keys.string() + ".new";  // all of them, or none
  fs::remove_all(made);
  new_run_keys(made);
  fs::rename(made, keys);
  return keys;
}

std::optional<ClientKeys> viewer_of(const std::filesystem::path& keys) {
  return keys.empty() ? std::nullopt : std::optional(read_client_keys(keys / "viewer.key"));
}

// How the game is named to the programs: a path must not depend on the folder one is in.
std::string game_argument(const std::string& game) {
  if (game.find('/') == game.npos && !game.ends_with(".so")) return game;
  const std::size_t so = game.rfind(".so");
  const std::string path = game.substr(0, so + 3), rest = game.substr(so + 3);
  return std::filesystem::absolute(path).string() + rest;
}

class Training {
 public:
  Training(const TrainOptions& options, const Rules& rules, const std::atomic<bool>& stopped)
      : options_(options),
        run_(options.run.empty() ? "runs/" + rules.name() : options.run),
        folder_(run_, &stopped),
        game_(game_argument(options.game)),
        address_(ipc_address(folder_ / "games.db")),
        keys_(keys_of(options, folder_)),
        view_{.game = rules.name(), .folder = run_, .minutes = options.minutes},
        watch_(address_, viewer_of(keys_)) {
    check_identity(rules);
    settings_ = settings_of(folder_.propose_settings(options.given), options, rules);
    check_net(settings_.learn.net);
    folder_.keep_settings();
  }

  // Returns the exit code.
  int run(const std::atomic<bool>& stopped) {
    const std::int64_t began = clock_ms();
    try {
      start_all();
      while (!stopped) {
        const std::int64_t now = clock_ms();
        view_.seconds = double(now - began) / 1000;
        if (options_.minutes > 0 && view_.seconds >= 60 * options_.minutes) break;
        tend(now);
        look(now);
        std::this_thread::sleep_for(kTurn);
      }
    } catch (...) {
      erase_screen();
      stop_all();
      throw;
    }
    erase_screen();
    summary_status();
    stop_all();
    std::cout << train_summary(options_, run_, view_.seconds, last_);
    return 0;
  }

 private:
  // The store would refuse, too; but then settings of another game would be in the run's file.
  void check_identity(const Rules& rules) const {
    const std::filesystem::path database = folder_ / "games.db";
    if (!std::filesystem::exists(database)) return;
    Identity held;
    try {
      held = Reader(database).identity();
    } catch (const Error&) {  // half made, or damaged: the store says so
      return;
    }
    if (held.game != rules.name())
      throw Error(folder_.path().string() + ": a run of " + held.game + ", not of " + rules.name() +
                  "; --run DIR names another folder.");
    if (held.rules != rules.fingerprints().rules)
      throw Error(folder_.path().string() + ": its games were played by other rules of " +
                  held.game + "; --run DIR begins anew in another folder.");
  }

  // The trainer would refuse, too; but then the network would be in the run's file.
  void check_net(const std::string& net) const {
    const std::filesystem::path training = folder_ / "training";
    const std::filesystem::path checkpoint = training / "checkpoint.safetensors";
    if (net == "auto" || !std::filesystem::exists(checkpoint)) return;
    const auto metadata = read_tensor_file(checkpoint).metadata;
    const auto held = metadata.find("learner.net");
    const std::string wanted = to_text(parse_net_config(net));
    if (held == metadata.end() || held->second == wanted) return;
    throw Error(run_ + ": its network is " + held->second + ", not " + wanted + "; --net " +
                held->second + " goes on with it, --run DIR begins another run, and " +
                "'trainer --replay " + (folder_ / "games.db").string() + " --run " +
                training.string() + " --net " + wanted +
                " --from-start' trains the other one from the stored games.");
  }

  std::vector<std::string> common(const std::string& role) const {
    std::vector<std::string> args = {"--replay", address_,   "--game",
                                     game_,      "--config", (folder_ / "run.ini").string()};
    for (const std::string& plugin_folder : options_.plugins.folders)
      args.insert(args.end(), {"--plugins", std::filesystem::absolute(plugin_folder).string()});
    if (!keys_.empty()) args.insert(args.end(), {"--key", keys_ / (role + ".key")});
    return args;
  }

  Supervised& start(const std::string& name, std::vector<std::string> args,
                    const std::string& log) {
    return children_.emplace_back(name, std::move(args), folder_ / ("logs/" + log + ".log"));
  }

  void start_all() {
    std::vector<std::string> store = {
        "--db", (folder_ / "games.db").string(), "--game", game_, "--listen", address_};
    for (const std::string& plugin_folder : options_.plugins.folders)
      store.insert(store.end(), {"--plugins", std::filesystem::absolute(plugin_folder).string()});
    for (const std::string& address : options_.listen)
      store.insert(store.end(), {"--listen", address});
    if (!keys_.empty()) store.insert(store.end(), {"--keys", keys_});
    if (!options_.pages.empty()) store.insert(store.end(), {"--pages", options_.pages});
    if (options_.keep != "all") store.insert(store.end(), {"--keep", options_.keep});
    start("replay", store, "replay");
    std::vector<std::string> trainer = common("trainer");
    trainer.insert(trainer.end(), {"--run", (folder_ / "training").string(), "--seed",
                                   std::to_string(options_.seed)});
    // It starts after us, so that it is still there when we end.
    if (options_.minutes > 0)
      trainer.insert(trainer.end(),
                     {"--minutes", std::to_string(options_.minutes), "--minutes-gone", "0"});
    trainer.insert(trainer.end(), {"--cores", std::to_string(options_.cores)});
    if (!settings_.found.contains("trainer-threads") &&
        !settings_.found.contains("most-trainer-threads"))
      trainer.insert(trainer.end(), {"--most-trainer-threads", std::to_string(options_.cores)});
    start("trainer", trainer, "trainer");
    std::vector<std::string> arena = common("arena");
    arena.insert(arena.end(), {"--share", std::to_string(arena_share()), "--nice", "5", "--cores",
                               std::to_string(options_.cores), "--gate", settings_.arena.gate});
    if (arena_share() > 0) start("arena", arena, "arena");
    const int workers = options_.workers < 0 ? most_players() : options_.workers;
    for (int i = 0; i < workers; ++i) start_player();
    CourierConfig courier;
    courier.address = address_;
    if (!keys_.empty()) courier.keys = read_client_keys(keys_ / "worker.key");
    left_.emplace(folder_ / "outbox", workers, courier);
  }

  // Without a gate an arena only draws a curve.
  double arena_share() const {
    if (options_.arena_share >= 0) return options_.arena_share;
    return settings_.arena.gate == "none" ? 0.05 : 0.1;
  }

  int threads_per_player() const {
    if (!settings_.found.contains("threads")) return std::max(1, options_.cores / 8);
    return settings_.threads > 0 ? settings_.threads : options_.cores;
  }
  int most_players() const { return std::max(1, options_.cores / threads_per_player()); }

  // Self-play leaves the processor to whoever else wants it: so the trainer takes what its budget
  // allows, with more threads while it is behind, and self-play the rest.
  void start_player() {
    const std::string number = std::to_string(players_.size() + 1);
    std::vector<std::string> args = common("worker");
    args.insert(args.end(),
                {"--model", "latest", "--outbox", (folder_ / "outbox" / number).string(),
                 "--background", "--threads", std::to_string(threads_per_player()), "--seed",
                 std::to_string(options_.seed)});
    players_.push_back(&start("selfplay", args, "selfplay-" + number));
  }

  void tend(std::int64_t now) {
    int restarts = 0;
    for (Supervised& child : children_) {
      if (!child.running()) child.change("--minutes-gone", std::to_string(view_.seconds / 60));
      const int before = child.restarts();
      child.tend(now);
      restarts += child.restarts();
      if (child.restarts() > before && !on_screen_)
        std::cout << clock_text(view_.seconds) << "  " << child.name()
                  << " ended and is started again; see " << child.log().string() << std::endl;
    }
    view_.restarts = restarts;
    left_->tend();
  }

  void look(std::int64_t now) {
    if (now < next_look_) return;
    next_look_ = now + (on_screen_ ? kScreenMs : kLineMs);
    try {
      const RunStatus& status = watch_.look(1000);
      last_ = status;
      Diagnosis diagnosis = diagnose(status, free_disk());
      if (!diagnosis.healthy && view_.seconds < kStartingSeconds)
        diagnosis = {true, "nothing yet: the programs are starting", ""};
      if (on_screen_)
        draw(view_.lines(status, diagnosis, terminal_width()));
      else
        std::cout << view_.line(status, diagnosis) << std::endl;
    } catch (const Error&) {
      // At first it is not there yet; then a line is enough once in a while, as for all else.
      const bool begins = view_.seconds < 5;
      if (!on_screen_ && !begins)
        std::cout << clock_text(view_.seconds) << "  the store does not answer; see "
                  << (folder_ / "logs/replay.log").string() << std::endl;
      next_look_ = now + (begins || on_screen_ ? kScreenMs : kLineMs);
    }
  }

  double free_disk() const {
    std::error_code failed;
    const auto space = std::filesystem::space(folder_.path(), failed);
    return failed ? -1 : double(space.available);
  }

  static int terminal_width() {
    winsize size{};
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 100;
  }

  void draw(const std::vector<std::string>& lines) {
    std::string text = drawn_ > 0 ? "\x1b[" + std::to_string(drawn_) + "F" : "";
    text += "\x1b[?7l";  // long lines are cut, not wrapped
    for (const std::string& line : lines) text += "\x1b[2K" + line + "\n";
    text += "\x1b[J\x1b[?7h";
    drawn_ = int(lines.size());
    std::cout << text << std::flush;
  }
  void erase_screen() { drawn_ = 0; }

  void summary_status() {
    try {
      last_ = watch_.look(2000);
    } catch (const Error&) {}
  }

  // In such an order that what one leaves finds those who take it: the trainer's last model is
  // promoted, too.
  void stop_all() {
    std::cout << "stopping" << std::endl;
    stop({"trainer", "selfplay"});
    if (settings_.arena.gate == "none" && arena_share() > 0) wait_for_promotion();
    stop({"arena"});
    left_.reset();
    stop({"replay"});
  }

  void stop(const std::set<std::string>& names) {
    for (Supervised& child : children_)
      if (names.contains(child.name())) child.ask_to_stop();
    for (Supervised& child : children_)
      if (names.contains(child.name()) && !child.wait(15'000))
        std::cout << child.name() << " had to be killed; nothing that was stored is lost\n";
  }

  void wait_for_promotion() try {
    for (const std::int64_t end = clock_ms() + kPromotionMs; clock_ms() < end;) {
      last_ = watch_.look(1000);
      if (last_.models.empty() || last_.models.back().id == last_.champion) return;
      std::this_thread::sleep_for(kTurn);
    }
  } catch (const Error&) {  // a store that does not answer has been complained about
  }

  const TrainOptions& options_;
  std::string run_;  // the folder, as one names it
  RunFolder folder_;
  TrainOptions settings_;  // with what the run's file says
  std::string game_, address_;
  std::filesystem::path keys_;
  TrainView view_;
  RunWatch watch_;
  RunStatus last_;
  std::deque<Supervised> children_;
  std::vector<Supervised*> players_;
  std::optional<LeftOutboxes> left_;
  std::int64_t next_look_ = 0;
  bool on_screen_ = isatty(STDOUT_FILENO);
  int drawn_ = 0;
};

int train_in_lockstep(const Args& args, const Rules& rules, const std::atomic<bool>& stopped) {
  refuse(args, {"workers", "listen", "keys", "pages", "keep", "cores", "arena-share", "gate"},
         "means nothing with --lockstep.");
  TrainOptions options;
  options.learn.any_machine = true;  // the same weights everywhere
  options.parse(args, &rules);
  check_range("threads", options.threads, 1, 4096);
  check_range("games", options.games, 1, 1e6);
  const RunFolder folder(options.run.empty() ? "runs/" + rules.name() + "-lockstep" : options.run);
  options.learn.train.threads = 1;
  const std::string model = run_lockstep(rules,
                                         {.folder = folder.path(),
                                          .plugin = game_argument(options.game),
                                          .play = options.play,
                                          .learn = options.learn,
                                          .threads = options.threads,
                                          .seed = options.seed,
                                          .minutes = options.minutes,
                                          .rounds = options.rounds,
                                          .games = options.games},
                                         stopped);
  std::cout << "model " << (model.empty() ? "none yet" : model) << "\n";
  return 0;
}

}  // namespace

int train_command(const Args& args) {
  TrainOptions options;
  if (!options.parse(args)) return 0;
  // A trainer's threads that wait must not spin: it has priority, and self-play wants the core.
  setenv("OMP_WAIT_POLICY", "passive", 0);
  const RulesPtr rules = options.plugins.registry().find(options.game);
  if (!torch_installed())
    throw Error("this installation has no LibTorch, without which nothing can be trained.");
  std::atomic<bool> stopped = false;
  const StopSignals signals([&] { stopped = true; });
  if (options.lockstep) return train_in_lockstep(args, *rules, stopped);
  refuse(args, {"rounds", "games", "threads"}, "is for --lockstep.");
  return Training(options, *rules, stopped).run(stopped);
}

}  // namespace tabula
