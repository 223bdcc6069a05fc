#include "trainer/training.h"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>

#include "core/base/clock.h"
#include "core/base/die_at.h"
#include "core/base/health.h"
#include "core/base/log.h"
#include "core/data/safetensors.h"

namespace tabula {
namespace fs = std::filesystem;
namespace {

constexpr auto kPause = std::chrono::milliseconds(20);
constexpr std::int64_t kSayWaitingMs = 30000, kLastWaitMs = 5000;
constexpr int kMostFailures = 5, kFirstReportMs = 2000;
constexpr const char *kCheckpoint = "checkpoint.safetensors", *kTable = "progress.csv";
constexpr double kCoolest = 0.03;  // of the learning rate

double seconds() { return double(clock_ms()) / 1000; }

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

// Whether an earlier start with --from-start began this training: then it goes on, as after any
// other restart.
bool begun_from_start(const fs::path& file, const NetConfig& net) try {
  const auto metadata = read_tensor_file(file).metadata;
  const auto value = [&](const char* key) {
    const auto found = metadata.find(key);
    return found == metadata.end() ? "" : found->second;
  };
  const std::string paced = value("learner.paced");
  return !paced.empty() && paced != "0" && value("learner.net") == to_text(net);
} catch (const Error&) {  // whatever it is, it is kept
  return false;
}

fs::path checkpoint_of(const TrainerOptions& options, const Rules& rules) {
  const fs::path folder = options.folder(), file = folder / kCheckpoint;
  if (!options.from_start || !fs::exists(file) ||
      begun_from_start(file, options.learn.net_for(rules)))
    return file;
  std::string mark = ".before";
  const auto kept = [&](const char* name, const char* ending) {
    return folder / (name + mark + ending);
  };
  for (int i = 2; fs::exists(kept("checkpoint", ".safetensors")); ++i)
    mark = ".before-" + std::to_string(i);
  if (fs::exists(folder / kTable)) fs::rename(folder / kTable, kept("progress", ".csv"));
  fs::rename(file, kept("checkpoint", ".safetensors"));
  log("the training of before is kept", {{"file", kept("checkpoint", ".safetensors").string()}});
  return file;
}

// Up to which number games are read no faster than they are learnt.
std::uint64_t paced_until(const TrainerOptions& options, Learner& learner, std::uint64_t head) {
  if (options.from_start && learner.progress().steps == 0)
    learner.pace_until(std::max<std::uint64_t>(head, 1));  // 0 would not tell that it has begun
  return learner.progress().paced;
}

}  // namespace

Training::Training(const TrainerOptions& options, const Rules& rules, const std::string& address,
                   std::uint64_t head)
    : options_(options),
      lock_(lock_folder(options.folder())),
      pace_(options.threads, options.most_threads),
      learner_(rules, options.learn, checkpoint_of(options, rules), options.seed),
      publisher_(address, options.link.keys()),
      herald_(address, options.link.keys(), "trainer", "trainer"),
      progress_(options.folder(), learner_),
      loader_(learner_, options.loaders, learner_.progress().steps + 1),
      reader_(address, options.link.keys(), learner_, paced_until(options, learner_, head)),
      others_(others_of(options)) {
  const LearnProgress at = learner_.progress();
  parent_ = at.parent;
  saved_step_ = at.steps;
  log(at.steps > 0 ? "goes on from its checkpoint" : "begins",
      {{"game", rules.name()},
       {"net", to_text(learner_.net())},
       {"step", std::to_string(at.steps)}});
  // It may have been killed after the checkpoint and before the store had the model.
  if (saved_step_ > 0) publisher_.publish(learner_.average(parent_), saved_step_, parent_);
}

void Training::run(const std::atomic<bool>& stopped) {
  next_report_ = clock_ms() + std::min(kFirstReportMs, 1000 * options_.report_seconds);
  const std::int64_t began = clock_ms();
  while (!stopped && !finished(began)) try {
      reader_.check();
      say_health(!reader_.store_is_away(), "the store does not answer");
      if (others_ && !met_ && !meet(stopped)) break;
      turn();
      if (clock_ms() >= next_report_) report();
    } catch (const PeersLost& lost) {
      lose(lost);
    }
  if (learner_.progress().steps > saved_step_) save_and_publish();
  try {
    order(stopped ? Next::pause : Next::end);
  } catch (const PeersLost&) {  // they are gone already
  }
  report();
  if (!publisher_.wait(kLastWaitMs))
    log("the store does not have the newest model; it will get it after the next start");
  log("stopped", {{"step", std::to_string(learner_.progress().steps)}});
}

// Whether it is done; if there is an end in time, the learning rate falls towards it.
bool Training::finished(std::int64_t began) {
  if (options_.steps > 0 && learner_.progress().steps >= options_.steps) return true;
  if (options_.minutes <= 0) return false;
  const double gone = options_.minutes_gone + double(clock_ms() - began) / 60000;
  const double part = gone / options_.minutes;
  const double left = options_.cool_down > 0 ? (1 - part) / options_.cool_down : 1;
  learner_.cool(cool_ = std::clamp(left, kCoolest, 1.));
  return part >= 1;
}

// Waits for the others, and takes them to where this one is.
bool Training::meet(const std::atomic<bool>& stopped) {
  // What all would return to if one were lost.
  if (!fs::exists(options_.folder() / kCheckpoint)) learner_.save("");
  log("waits for the other trainers", {{"trainers", std::to_string(options_.trainers)}});
  met_ = others_->meet([&] {
    say_health(false, "the other trainers are not all there");
    return !stopped;
  });
  if (!met_) return false;
  learner_.join(others_);
  loader_.restart(learner_.progress().steps + 1);  // each has a part of a batch now
  log("all trainers are there", {{"step", std::to_string(learner_.progress().steps)}});
  return true;
}

void Training::lose(const PeersLost& lost) {
  log(lost.what());
  met_ = false;
  learner_.return_to_checkpoint();
  progress_.went_back(learner_.progress().steps);
  log("back at the last checkpoint", {{"step", std::to_string(learner_.progress().steps)}});
}

void Training::order(Next next) {
  if (met_) agree(*others_, {next, cool_});
}

void Training::turn() {
  const double began = seconds();
  if (const std::string why = learner_.waits_for(); !why.empty()) {
    say_waiting(why);
    // Self-play may wait for the first model: never wait for it in turn.
    if (saved_step_ == 0 && learner_.progress().steps > 0) save_and_publish();
    order(Next::wait);
    std::this_thread::sleep_for(kPause);
    progress_.waited(seconds() - began);
    return;
  }
  said_at_ = 0;
  order(Next::step);
  TrainingBatch batch = loader_.take(learner_.progress().steps + 1);
  Losses losses;
  try {
    losses = learner_.step(batch);
  } catch (const LossIsNoNumber&) {
    return go_back();
  }
  loader_.give_back(std::move(batch));
  if (publish_now(learner_.progress().steps)) save_and_publish();
  progress_.stepped(losses, seconds() - began);
}

// The first ones early: anything is better than rollouts.
bool Training::publish_now(std::uint64_t step) const {
  const std::uint64_t every = options_.learn.publish_steps;
  return step % every == 0 || (step < every && every >= 4 && step % (every / 4) == 0);
}

void Training::go_back() {
  if (++failures_ > kMostFailures)
    throw Error("the loss is not a number again and again; try a smaller --learning-rate.");
  learner_.go_back();
  if (met_) learner_.join(others_);
  progress_.went_back(learner_.progress().steps);
  log("the loss is not a number: back to the last checkpoint, with half the learning rate",
      {{"step", std::to_string(learner_.progress().steps)}});
}

void Training::say_waiting(const std::string& why) {
  const std::int64_t now = clock_ms();
  if (said_at_ != 0 && now < said_at_ + kSayWaitingMs) return;
  if (said_at_ != 0 || reader_.store_is_away())
    log("waits for " + (reader_.store_is_away() ? "the store, which does not answer" : why));
  said_at_ = now;
}

// Once in a while is enough for each sentence.
void Training::complain(const std::string& sentence) {
  std::int64_t& next = complained_[sentence];
  if (clock_ms() < next) return;
  log(sentence);
  next = clock_ms() + kSayWaitingMs;
}

// A candidate is published only from a checkpoint that is on the disk.
void Training::save_and_publish() try {
  const std::string newest = publisher_.newest();
  if (!newest.empty()) parent_ = newest;
  learner_.save(parent_);
  saved_step_ = learner_.progress().steps;
  failures_ = 0;
  die_at("trainer.checkpoint");
  publisher_.publish(learner_.average(parent_), saved_step_, parent_);
} catch (const FlushFailed&) {
  throw;
} catch (const Error& error) {
  complain(std::string("cannot write the checkpoint, goes on without: ") + error.what());
}

void Training::report() {
  // The first come sooner.
  report_ms_ = std::min(2 * report_ms_, 1000 * options_.report_seconds);
  next_report_ = clock_ms() + report_ms_;
  if (const int before = pace_.threads();
      pace_.next(progress_.waiting(seconds()), learner_.is_ahead(), progress_.speed()) != before)
    learner_.set_threads(pace_.threads());
  herald_.say(progress_.report(seconds()));
  try {
    progress_.write();
  } catch (const FlushFailed&) {
    throw;
  } catch (const Error& error) {
    complain(std::string("cannot write its progress, goes on without: ") + error.what());
  }
}

}  // namespace tabula
