#include "trainer/partner.h"

#include "core/base/health.h"
#include "core/base/log.h"
#include "core/loop/batch_loader.h"
#include "trainer/log_reader.h"
#include "trainer/others.h"

namespace tabula {
namespace {

constexpr auto kPause = std::chrono::milliseconds(20);

class Partner {
 public:
  Partner(const TrainerOptions& options, const Rules& rules, const std::string& address,
          const std::atomic<bool>& stopped)
      : options_(options),
        address_(address),
        stopped_(stopped),
        others_(others_of(options)),
        learner_(rules, options.learn, "", options.seed) {}

  void run() {
    log("steps with others",
        {{"rank", std::to_string(options_.rank)}, {"trainers", std::to_string(options_.trainers)}});
    while (meet()) try {
        if (follow()) break;
      } catch (const PeersLost& lost) {
        if (!stopped_) log(lost.what());
      }
    log("stopped", {{"step", std::to_string(learner_.progress().steps)}});
  }

 private:
  bool meet() {
    return others_->meet([&] {
      // Ready: it is waited for by the first one, and a rollout must not wait for a meeting.
      say_health(true, "the first trainer is not there");
      return !stopped_;
    });
  }

  // Whether all is done; false: the first one will come again.
  bool follow() {
    begin();
    while (!stopped_ && learner_.window_positions() == 0) {  // the others wait so long
      reader_->check();
      say_health(!reader_->store_is_away(), "the store does not answer");
      std::this_thread::sleep_for(kPause);
    }
    while (!stopped_) {
      reader_->check();
      say_health(!reader_->store_is_away(), "the store does not answer");
      const Order order = agree(*others_);
      if (order.next == Next::pause || order.next == Next::end) return order.next == Next::end;
      if (order.next == Next::step) step(order);
    }
    return true;
  }

  void begin() {
    learner_.join(others_);
    log("begins with the others", {{"step", std::to_string(learner_.progress().steps)}});
    if (reader_) return loader_->restart(learner_.progress().steps + 1);
    loader_.emplace(learner_, options_.loaders, learner_.progress().steps + 1);
    reader_.emplace(address_, options_.link.keys(), learner_, 0);
  }

  void step(const Order& order) {
    learner_.cool(order.cool);
    TrainingBatch batch = loader_->take(learner_.progress().steps + 1);
    try {
      learner_.step(batch);
    } catch (const LossIsNoNumber&) {
      learner_.join(others_);  // the first one went back
    }
    loader_->give_back(std::move(batch));
  }

  const TrainerOptions& options_;
  std::string address_;
  const std::atomic<bool>& stopped_;
  std::shared_ptr<Peers> others_;
  Learner learner_;
  std::optional<BatchLoader> loader_;
  std::optional<LogReader> reader_;
};

}  // namespace

void step_with_others(const TrainerOptions& options, const Rules& rules, const std::string& address,
                      const std::atomic<bool>& stopped) {
  Partner(options, rules, address, stopped).run();
}

}  // namespace tabula
