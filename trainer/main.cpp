// Learns from the games of a store, continuously, and publishes what it learnt as models.
#include <fcntl.h>
#include <sys/file.h>

#include <atomic>
#include <filesystem>
#include <map>

#include "core/base/clock.h"
#include "core/base/descriptor.h"
#include "core/base/health.h"
#include "core/base/log.h"
#include "core/cli/program.h"
#include "core/loop/batch_loader.h"
#include "core/loop/herald.h"
#include "core/loop/thread_pace.h"
#include "core/nn/torch_library.h"
#include "core/service/defaults.h"
#include "core/service/server.h"
#include "core/store/ownership.h"
#include "core/store/reader.h"
#include "trainer/config.h"
#include "trainer/log_reader.h"
#include "trainer/progress.h"
#include "trainer/publisher.h"

namespace {
using namespace tabula;
namespace fs = std::filesystem;

constexpr auto kPause = std::chrono::milliseconds(20);
constexpr std::int64_t kSayWaitingMs = 30000, kLastWaitMs = 5000;
constexpr int kMostFailures = 5;
constexpr double kCoolest = 0.03;  // of the learning rate

double seconds() { return double(clock_ms()) / 1000; }

// Serves the database from inside this process, if nobody else does.
class OwnStore {
 public:
  explicit OwnStore(const TrainerOptions& options) {
    const fs::path path = options.link.replay;
    const std::string game = game_of(options, path);
    server_.emplace(
        ServiceConfig{.database = path,
                      .listen = options.listen.empty() ? default_addresses(path) : options.listen,
                      .keys = options.keys,
                      .insecure = options.insecure,
                      .keep = parse_keep(options.keep)},
        options.link.find_game(game), game);
    for (const std::string& address : server_->addresses())
      log("listening", {{"address", address}, {"database", path.string()}});
    thread_ = std::thread([this] {
      try {
        server_->run();
      } catch (const std::exception& error) {  // the disk can no longer be trusted
        log(error.what());
        _exit(1);
      }
    });
  }
  ~OwnStore() {
    server_->stop();
    thread_.join();
  }
  OwnStore(const OwnStore&) = delete;
  OwnStore& operator=(const OwnStore&) = delete;

 private:
  static std::string game_of(const TrainerOptions& options, const fs::path& path) {
    if (!options.link.game.empty()) return options.link.game;
    if (!fs::exists(path))
      throw Error(path.string() +
                  ": there is no such database; to make one, say whose games it is for: --game "
                  "NAME.");
    return Reader(path).identity().plugin;
  }

  std::optional<Server> server_;
  std::thread thread_;
};

// A run's folder has one trainer.
Descriptor lock_folder(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  Descriptor lock(open((folder / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!lock.open())
    throw Error(folder.string() + ": cannot write there: " + reason_of(errno) + ".");
  if (flock(lock.number(), LOCK_EX | LOCK_NB) != 0)
    throw Error(folder.string() + ": another trainer works there; --run DIR names another folder.");
  return lock;
}

fs::path checkpoint_of(const TrainerOptions& options) {
  fs::path file = options.folder() / "checkpoint.safetensors";
  if (options.from_start && fs::exists(file))
    fs::rename(file, options.folder() / "checkpoint.before.safetensors");
  return file;
}

class Training {
 public:
  // `head`: the store's newest number now.
  Training(const TrainerOptions& options, const Rules& rules, const std::string& address,
           std::uint64_t head)
      : options_(options),
        lock_(lock_folder(options.folder())),
        pace_(options.threads, options.most_threads),
        learner_(rules, options.learn, checkpoint_of(options), options.seed),
        publisher_(address, options.link.keys()),
        herald_(address, options.link.keys(), "trainer", "trainer"),
        progress_(options.folder(), learner_),
        loader_(learner_, options.loaders, learner_.progress().steps + 1),
        reader_(address, options.link.keys(), learner_, options.from_start ? head : 0) {
    const LearnProgress at = learner_.progress();
    parent_ = at.parent;
    saved_step_ = at.steps;
    log(at.steps > 0 ? "goes on from its checkpoint" : "begins",
        {{"game", rules.name()},
         {"net", to_text(learner_.net())},
         {"step", std::to_string(at.steps)}});
  }

  void run(const std::atomic<bool>& stopped) {
    next_report_ = clock_ms() + 1000 * options_.report_seconds;
    const std::int64_t began = clock_ms();
    while (!stopped && !finished(began)) {
      reader_.check();
      say_health(!reader_.store_is_away(), "the store does not answer");
      turn();
      if (clock_ms() >= next_report_) report();
    }
    if (learner_.progress().steps > saved_step_) save_and_publish();
    report();
    if (!publisher_.wait(kLastWaitMs))
      log("the store does not have the newest model; it will get it after the next start");
    log("stopped", {{"step", std::to_string(learner_.progress().steps)}});
  }

 private:
  // Whether it is done; if there is an end in time, the learning rate falls towards it.
  bool finished(std::int64_t began) {
    if (options_.steps > 0 && learner_.progress().steps >= options_.steps) return true;
    if (options_.minutes <= 0) return false;
    const double part = double(clock_ms() - began) / (60000 * options_.minutes);
    const double left = options_.cool_down > 0 ? (1 - part) / options_.cool_down : 1;
    learner_.cool(std::clamp(left, kCoolest, 1.));
    return part >= 1;
  }

  void turn() {
    const double began = seconds();
    if (const std::string why = learner_.waits_for(); !why.empty()) {
      say_waiting(why);
      // Self-play may wait for the first model: never wait for it in turn.
      if (saved_step_ == 0 && learner_.progress().steps > 0) save_and_publish();
      std::this_thread::sleep_for(kPause);
      progress_.waited(seconds() - began);
      return;
    }
    said_at_ = 0;
    TrainingBatch batch = loader_.take(learner_.progress().steps + 1);
    Losses losses;
    try {
      losses = learner_.step(batch);
    } catch (const LossIsNoNumber&) {
      return go_back();
    }
    loader_.give_back(std::move(batch));
    failures_ = 0;
    progress_.stepped(losses, seconds() - began);
    if (publish_now(learner_.progress().steps)) save_and_publish();
  }

  // The first ones early: anything is better than rollouts.
  bool publish_now(std::uint64_t step) const {
    const std::uint64_t every = options_.learn.publish_steps;
    return step % every == 0 || (step < every && every >= 4 && step % (every / 4) == 0);
  }

  void go_back() {
    if (++failures_ > kMostFailures)
      throw Error("the loss is not a number again and again; try a smaller --learning-rate.");
    learner_.go_back();
    progress_.went_back(learner_.progress().steps);
    log("the loss is not a number: back to the last checkpoint, with half the learning rate",
        {{"step", std::to_string(learner_.progress().steps)}});
  }

  void say_waiting(const std::string& why) {
    const std::int64_t now = clock_ms();
    if (said_at_ != 0 && now < said_at_ + kSayWaitingMs) return;
    if (said_at_ != 0 || reader_.store_is_away())
      log("waits for " + (reader_.store_is_away() ? "the store, which does not answer" : why));
    said_at_ = now;
  }

  // Once in a while is enough for each sentence.
  void complain(const std::string& sentence) {
    std::int64_t& next = complained_[sentence];
    if (clock_ms() < next) return;
    log(sentence);
    next = clock_ms() + kSayWaitingMs;
  }

  // A candidate is published only from a checkpoint that is on the disk.
  void save_and_publish() try {
    const std::string newest = publisher_.newest();
    if (!newest.empty()) parent_ = newest;
    learner_.save(parent_);
    saved_step_ = learner_.progress().steps;
    publisher_.publish(learner_.average(parent_), saved_step_, parent_);
  } catch (const FlushFailed&) {
    throw;
  } catch (const Error& error) {
    complain(std::string("cannot write the checkpoint, goes on without: ") + error.what());
  }

  void report() {
    next_report_ = clock_ms() + 1000 * options_.report_seconds;
    if (const int before = pace_.threads();
        pace_.next(progress_.waiting(seconds()), learner_.is_ahead()) != before)
      learner_.set_threads(pace_.threads());
    try {
      herald_.say(progress_.report(seconds()));
    } catch (const FlushFailed&) {
      throw;
    } catch (const Error& error) {
      complain(std::string("cannot write its progress, goes on without: ") + error.what());
    }
  }

  const TrainerOptions& options_;
  std::map<std::string, std::int64_t> complained_;  // what, and when it may be said again
  Descriptor lock_;
  ThreadPace pace_;
  Learner learner_;
  Publisher publisher_;
  Herald herald_;
  Progress progress_;
  BatchLoader loader_;
  LogReader reader_;
  std::string parent_;
  std::uint64_t saved_step_ = 0;
  std::int64_t next_report_ = 0, said_at_ = 0;
  int failures_ = 0;
};

int trainer(const Args& args) {
  TrainerOptions options;
  options.link.replay.clear();
  if (!options.parse(args)) return 0;
  if (options.link.replay.empty())
    throw Error("which games? --replay FILE names a database, --replay tcp://HOST:7710 a store.");
  set_log_format(parse_log_format(options.link.log_format));
  set_health_file(options.link.health);
  std::optional<Client> store;
  std::atomic<bool> stopped = false, connected = false;
  const StopSignals signals([&] {
    stopped = true;
    if (connected) store->wake();
  });
  torch_library();  // complains before anything is begun
  std::optional<OwnStore> own;
  if (options.replay_is_path() && !owner_of(options.link.replay)) own.emplace(options);
  const std::string address = options.link.address();
  store.emplace(address, options.link.keys());
  connected = true;
  std::uint64_t head = 0;
  const RulesPtr rules = options.link.greet(
      *store, "trainer", [&] { return !stopped; }, &head);
  if (!rules) return 0;
  options = {};
  options.parse(args, rules.get());
  Training(options, *rules, address, head).run(stopped);
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return tabula::run_program("trainer", argc, argv, trainer); }
