// Starts and watches a whole training on this machine.
#include <sys/ioctl.h>
#include <unistd.h>

#include <atomic>
#include <deque>
#include <iostream>
#include <thread>

#include "core/arena/settings.h"
#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/cli/program.h"
#include "core/loop/check_range.h"
#include "core/loop/learn_settings.h"
#include "core/loop/play_settings.h"
#include "core/loop/run_settings.h"
#include "core/loop/store_link.h"
#include "core/nn/torch_library.h"
#include "core/service/defaults.h"
#include "core/store/reader.h"
#include "front/commands.h"
#include "front/plugins.h"
#include "front/run/lockstep.h"
#include "front/run/run_folder.h"
#include "front/run/supervised.h"
#include "front/run/train_view.h"

namespace tabula {
namespace {

constexpr auto kTurn = std::chrono::milliseconds(100);
constexpr std::int64_t kScreenMs = 1000, kLineMs = 15000;
constexpr double kStartingSeconds = 20;  // in which not everybody has to be there

struct TrainOptions {
  std::string game, run, keys, pages, keep = "all";
  std::vector<std::string> listen;
  int workers = -1;
  double minutes = 0, arena_share = 0.1;
  int cores = 0;
  std::uint64_t seed = 1;
  std::uint64_t rounds = 0;
  int games = 64, threads = 1;
  bool lockstep = false;
  Plugins plugins;
  PlaySettings play;
  LearnSettings learn;
  // One machine has too little time for tests that decide: see docs/training.md.
  ArenaSettings arena{.gate = "none"};
  std::map<std::string, std::string> given;  // of the settings that the programs read

  // False if the help was printed. With a game, its defaults count too.
  bool parse(const Args& args, const Rules* rules = nullptr) {
    Options options("tabula train GAME [options]",
                    "Learns a game by self-play on this machine: starts the store, self-play, "
                    "trainer and arena,\nand watches them. GAME is a name or a plugin's file. The "
                    "same command goes on with a run.");
    options.argument("GAME", game)
        .add("minutes", minutes, "how long; 0: until Ctrl-C")
        .add("run", run, "the run's folder (default: runs/GAME)")
        .add("cores", cores, "to be used; 0: all")
        .add("arena-share", arena_share, "of the cores, at most, for testing candidates")
        .add("seed", seed, "of the run")
        .add("workers", workers, "self-play programs on this machine; -1: as its cores allow")
        .add_list("listen", listen,
                  "let self-play on other machines help, at an address such as tcp://*:7710")
        .add("keys", keys, "then: the folder of keys (default: RUN/keys, made if it is not there)")
        .add("pages", pages, "serve a page, /metrics and /status, at HOST:PORT such as *:7711")
        .add("keep", keep, "which games the store keeps, as 'replay' takes it")
        .flag("lockstep", lockstep,
              "in one process, games then steps: the same seed, the same weights")
        .add("rounds", rounds, "of --lockstep; 0: no end")
        .add("games", games, "of a round of --lockstep")
        .add("threads", threads, "of self-play in --lockstep");
    plugins.declare(options);
    play.declare(options);
    learn.declare(options);
    arena.declare(options);
    options.also_in_files(run_setting_names());
    if (rules) options.defaults(defaults_of(*rules), rules->name());
    if (!options.parse(args)) return false;
    play.check();
    learn.check();
    arena.check();
    check_range("minutes", minutes, 0, 1e7);
    check_range("cores", cores, 0, 4096);
    check_range("workers", workers, -1, 4096);
    if (!keys.empty() && listen.empty())
      throw Error("--keys is for other machines: --listen tcp://*:7710 lets them help.");
    check_range("arena-share", arena_share, 0, 1);
    parse_keep(keep);
    if (cores == 0) cores = int(std::max(1u, std::thread::hardware_concurrency()));
    for (const std::string& name : run_setting_names())
      if (const auto found = options.given().find(name); found != options.given().end())
        given.insert(*found);
    return true;
  }
};

// Options that mean nothing here must not be given in vain.
void refuse(const Args& args, std::initializer_list<const char*> names, const std::string& why) {
  for (const std::string name : names)
    for (const std::string& arg : args)
      if (arg == "--" + name || arg.starts_with("--" + name + "="))
        throw Error("--" + name + " " + why);
}

// What the programs will make of the run's file and the game's. Throws Error if nothing could come
// of it.
TrainOptions settings_of(const std::filesystem::path& file, const TrainOptions& options,
                         const Rules& rules) {
  TrainOptions settings;
  settings.parse({options.game, "--config", file.string()}, &rules);
  const std::uint64_t rollouts = settings.play.rollout_positions;
  if (rollouts > 0 && rollouts < settings.learn.first_positions)
    throw Error("--rollout-positions (" + std::to_string(rollouts) +
                ") must be at least --first-positions (" +
                std::to_string(settings.learn.first_positions) + "), or nothing begins.");
  return settings;
}

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
    gate_ = settings_of(folder_.propose_settings(options.given), options, rules).arena.gate;
    folder_.keep_settings();
  }

  // Returns the exit code.
  int run(const std::atomic<bool>& stopped) {
    const std::int64_t began = clock_ms();
    start_all();
    while (!stopped) {
      const std::int64_t now = clock_ms();
      view_.seconds = double(now - began) / 1000;
      if (options_.minutes > 0 && view_.seconds >= 60 * options_.minutes) break;
      tend(now);
      look(now);
      std::this_thread::sleep_for(kTurn);
    }
    erase_screen();
    summary_status();
    stop_all();
    print_summary();
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
    if (!options_.given.contains("trainer-threads"))
      trainer.insert(trainer.end(), {"--trainer-threads", "1", "--most-trainer-threads",
                                     std::to_string(options_.cores)});
    start("trainer", trainer, "trainer");
    std::vector<std::string> arena = common("arena");
    arena.insert(arena.end(), {"--share", std::to_string(options_.arena_share), "--nice", "5",
                               "--cores", std::to_string(options_.cores), "--gate", gate_});
    if (options_.arena_share > 0) start("arena", arena, "arena");
    const int workers = options_.workers < 0 ? most_players() : options_.workers;
    for (int i = 0; i < workers; ++i) start_player();
  }

  int threads_per_player() const { return std::max(1, options_.cores / 8); }
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
      child.tend(now);
      restarts += child.restarts();
    }
    view_.restarts = restarts;
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
      if (!on_screen_ && view_.seconds > 5) std::cout << "waiting for the store" << std::endl;
      next_look_ = now + kScreenMs;
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

  void stop_all() {
    std::cout << "stopping" << std::endl;
    for (Supervised& child : children_)
      if (child.name() != "replay") child.ask_to_stop();
    for (Supervised& child : children_)
      if (child.name() != "replay" && !child.wait(15'000))
        std::cout << child.name() << " had to be killed; nothing that was stored is lost\n";
    for (Supervised& child : children_) child.ask_to_stop();
    for (Supervised& child : children_) child.wait(15'000);
  }

  void print_summary() const {
    std::cout << "\n"
              << clock_text(view_.seconds) << ", " << grouped(double(last_.totals.seen_games))
              << " games, " << grouped(double(last_.totals.seen_positions)) << " positions, "
              << last_.models.size() << " models";
    if (const std::string rated = rating_text(last_); !rated.empty()) std::cout << "; " << rated;
    const std::string run = options_.run.empty() ? "" : " --run " + options_.run;
    std::cout << ".\nTo go on:       tabula train " << options_.game << run
              << "\nTo play it:     tabula play " << options_.game << run
              << "\nTo measure it:  tabula eval " << options_.game << " --run " << run_
              << " --model champion --solver 200\n";
  }

  const TrainOptions& options_;
  std::string run_;  // the folder, as one names it
  RunFolder folder_;
  std::string game_, address_, gate_;
  std::filesystem::path keys_;
  TrainView view_;
  RunWatch watch_;
  RunStatus last_;
  std::deque<Supervised> children_;
  std::vector<Supervised*> players_;
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
