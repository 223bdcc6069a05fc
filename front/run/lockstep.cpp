#include "front/run/lockstep.h"

#include <algorithm>
#include <cstring>
#include <iostream>

#include "core/base/clock.h"
#include "core/base/die_at.h"
#include "core/base/digest.h"
#include "core/base/hash.h"
#include "core/data/examples.h"
#include "core/data/game_codec.h"
#include "core/loop/learner.h"
#include "core/loop/self_player.h"
#include "core/store/model_files.h"
#include "core/store/ownership.h"
#include "core/store/reader.h"
#include "core/store/store.h"
#include "core/wire/model_transfer.h"

namespace tabula {
namespace {

constexpr std::size_t kPage = std::size_t{4} << 20;

class Collected : public GameSink {
 public:
  bool accepts() override { return true; }
  void deliver(const StoredGame& game) override {
    const std::lock_guard lock(mutex_);
    if (!game.adjourned()) games_.push_back(game);
  }
  // By number: threads finish in any order.
  std::vector<StoredGame> take() {
    std::ranges::sort(games_, {}, [](const StoredGame& game) { return game.record.number; });
    return std::move(games_);
  }

 private:
  std::mutex mutex_;
  std::vector<StoredGame> games_;
};

class Lockstep {
 public:
  Lockstep(const Rules& rules, const LockstepConfig& config)
      : rules_(rules),
        config_(config),
        database_(config.folder / "games.db"),
        ownership_(database_),
        store_(database_, Identity{rules.name(), rules.fingerprints().rules, config.plugin}),
        reader_(database_),
        files_(database_),
        learner_(rules, config.learn, config.folder / "checkpoint.safetensors", config.seed) {
    parent_ = learner_.progress().parent;
  }

  // False if it was told to stop: then the round is begun again next time.
  bool round(const std::atomic<bool>& stopped) {
    // More games than the checkpoint knows: this round's were played before somebody died.
    if (reader_.head() == learner_.progress().cursor && !play(stopped)) return false;
    read_until(reader_.head());
    Losses last;
    ExampleWriter writer = learner_.writer();
    std::uint64_t steps = 0;
    for (; learner_.waits_for().empty(); ++steps) {
      if (stopped) return false;
      learner_.fill(learner_.progress().steps + 1, writer, batch_);
      last = learner_.step(batch_);
    }
    const std::string waits_for = learner_.waits_for();
    publish(steps);
    std::cout << "round " << rounds() << "  games " << learner_.progress().games << "  steps "
              << learner_.progress().steps;
    if (steps > 0)
      std::cout << "  policy " << last.policy << "  wdl " << last.wdl << "  model "
                << parent_.substr(0, 12) << std::endl;
    else
      std::cout << "  waits for " << waits_for << std::endl;
    return true;
  }

  std::uint64_t rounds() const { return learner_.progress().games / std::uint64_t(config_.games); }
  const std::string& model() const { return parent_; }

 private:
  PlayModelPtr player(ModelBook& book) const {
    if (parent_.empty()) return book.open("rollout", nullptr);
    return book.open(parent_, std::make_shared<const Net>(load_net(files_.path(parent_))));
  }

  bool play(const std::atomic<bool>& stopped) {
    ModelBook book;
    Collected games;
    SelfPlayer player_threads(rules_,
                              {.play = config_.play,
                               .threads = config_.threads,
                               .seed = config_.seed,
                               // Whatever --games was before, no game has been played under it.
                               .instance = "lockstep " + std::to_string(learner_.progress().games),
                               .worker = "lockstep",
                               .most_games = std::uint64_t(config_.games)},
                              book, games);
    player_threads.use(player(book));
    player_threads.start();
    while (!player_threads.done() && !stopped)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    player_threads.stop();
    const std::vector<StoredGame> played = games.take();
    if (played.size() < std::size_t(config_.games)) return false;
    std::vector<Arrival> arrivals;
    for (StoredGame game : played) arrivals.push_back(arrival_of(std::move(game)));
    store_.add(arrivals);  // all of a round, or none
    die_at("lockstep.stored");
    return true;
  }

  Arrival arrival_of(StoredGame game) const {
    const std::uint64_t words[2] = {Hash().add(game.record.seed).add(1).value(),
                                    Hash().add(game.record.seed).add(2).value()};
    std::memcpy(game.id.data(), words, sizeof words);
    return {.id = game.id,
            .bytes = encode_game(game),
            .account = "local",
            .worker = game.worker,
            .models = game.models,
            .positions = std::uint32_t(std::ranges::count_if(game.record.plies, is_example))};
  }

  void read_until(std::uint64_t sequence) {
    for (std::uint64_t at = std::max(read_to_, learner_.read_after()); at < sequence;) {
      const LogPage page = reader_.read(at, kPage);
      learner_.add(page);
      at = read_to_ = page.next;
    }
  }

  // The checkpoint comes last: until it is there, the round is done again, and comes out the same.
  void publish(std::uint64_t steps) {
    if (steps > 0) {
      const Net net = learner_.average(parent_);
      const std::string bytes = encode_safetensors(to_tensor_file(net));
      const std::string id = model_id(bytes);
      if (!files_.has(id)) {
        files_.receive(id, 0, bytes);
        files_.complete(id);
      }
      store_.add_model({.id = id,
                        .bytes = bytes.size(),
                        .step = learner_.progress().steps,
                        .parent = parent_,
                        .account = "local",
                        .made = unix_seconds()});
      store_.move_champion(reader_.champion().version, id, 0);
      parent_ = id;
    }
    learner_.save(parent_);
  }

  const Rules& rules_;
  const LockstepConfig& config_;
  std::filesystem::path database_;
  Ownership ownership_;
  Store store_;
  Reader reader_;
  ModelFiles files_;
  Learner learner_;
  TrainingBatch batch_;
  std::uint64_t read_to_ = 0;
  std::string parent_;
};

}  // namespace

std::string run_lockstep(const Rules& rules, const LockstepConfig& config,
                         const std::atomic<bool>& stopped) {
  Lockstep lockstep(rules, config);
  const std::int64_t began = clock_ms();
  const auto enough = [&] {
    return (config.rounds > 0 && lockstep.rounds() >= config.rounds) ||
           (config.minutes > 0 && double(clock_ms() - began) >= 60000 * config.minutes);
  };
  while (!stopped && !enough())
    if (!lockstep.round(stopped)) break;
  return lockstep.model();
}

}  // namespace tabula
