#pragma once
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>

#include "core/data/rows.h"
#include "core/loop/learn_settings.h"
#include "core/loop/reuse_budget.h"

namespace tabula {

// Where a training is: what a checkpoint holds besides tensors.
struct LearnProgress {
  std::uint64_t steps = 0, samples = 0;
  std::uint64_t cursor = 0;  // all of the log up to here is in the window, or has left it
  std::uint64_t games = 0, positions = 0;  // ever, as the store counts them
  std::uint64_t seen = 0;                  // examples ever: --learn-cheap decides which count
  // A training from the start reads no faster than it learns up to this number; 0: another.
  std::uint64_t paced = 0;
  std::uint64_t window_begin = 0;  // sequence number of the oldest game in the window
  std::uint64_t window_positions = 0;
  double tokens = 0;
  std::uint64_t seed = 0;
  std::string parent;      // the model published last
  double rate_factor = 1;  // of the learning rate: halved whenever the loss was no number
};

// Makes a network of games, a step at a time, and keeps everything that a training is made of. One
// thread adds games and another steps; batches may be filled by any.
class Learner {
 public:
  // Goes on from the checkpoint, if there is one. Throws Error if that belongs to another game or
  // another network.
  Learner(const Rules& rules, const LearnSettings& settings, std::filesystem::path checkpoint,
          std::uint64_t seed);

  // Where the log has to be read from: after this number. What a checkpoint has seen comes again
  // and fills the window without being counted twice.
  std::uint64_t read_after() const { return read_after_; }
  void add(const LogPage& page);
  void pace_until(std::uint64_t number);  // as LearnProgress says

  // Why no step may be taken now; empty: one may.
  std::string waits_for() const;
  // Whether what was added gives it work for long enough to wait with the next.
  bool is_ahead() const;
  // The batch of a step: it follows from its number, the seed, and the window.
  void fill(std::uint64_t step, ExampleWriter& writer, TrainingBatch& batch) const;
  Losses step(const TrainingBatch& batch);
  void set_threads(int threads) { trainer_->set_threads(threads); }
  void cool(double factor) { cool_ = factor; }  // of the learning rate of the steps to come
  const NetConfig& net() const { return net_; }
  ExampleWriter writer() const { return ExampleWriter(rules_, {settings_.search_share}); }

  // Everything, as one file, atomically. `parent`: the model published last.
  void save(const std::string& parent);
  // The model to play with now: after a restart the same one, bit by bit.
  Net average(const std::string& parent) const;
  // Back to the last checkpoint; more carefully, after a step that went wrong.
  void return_to_checkpoint();
  void go_back();
  // From now on each step is made with others, from where the first one is; batches are a part of
  // theirs. Throws PeersLost, as steps do then.
  void join(const std::shared_ptr<Peers>& others);

  LearnProgress progress() const;
  std::size_t window_positions() const { return window_->positions(); }
  std::size_t window_bytes() const { return window_->bytes(); }
  std::uint64_t fresh() const;  // examples that came, since the start of this object
  double seconds_in_torch() const { return trainer_->seconds_in_torch(); }
  const LearnSettings& settings() const { return settings_; }

 private:
  void restore(const TensorFile& file);
  std::string net_text() const { return to_text(net_); }
  void note_window();

  const Rules& rules_;
  LearnSettings settings_;
  NetConfig net_;
  std::filesystem::path checkpoint_;
  std::unique_ptr<Trainer> trainer_;
  std::unique_ptr<Window> window_;
  std::uint64_t read_after_ = 0;
  double cool_ = 1;
  std::shared_ptr<Peers> others_;

  mutable std::mutex mutex_;
  LearnProgress progress_;
  std::uint64_t read_to_ = 0;  // in the log
  std::uint64_t fresh_ = 0;
  ReuseBudget budget_;
};

}  // namespace tabula
