#include "core/loop/self_player.h"

#include <algorithm>

#include "core/base/digest.h"
#include "core/base/hash.h"
#include "core/data/examples.h"

namespace tabula {
namespace {

constexpr auto kNothingToDo = std::chrono::milliseconds(5);
constexpr int kRoundsBetweenFigures = 16;

// The evaluators of one thread, by model.
class Evaluators {
 public:
  Evaluators(const Rules& rules, const PlaySettings& settings)
      : rules_(rules), settings_(settings) {}

  void add(const PlayModel& model) {
    all_[model.number] = make_evaluator(model, rules_, settings_, &cache_);
  }
  void drop_before(std::uint32_t number) { all_.erase(all_.begin(), all_.lower_bound(number)); }
  Evaluator& operator[](std::uint32_t number) { return *all_.at(number); }
  const CacheStats& cache() const { return cache_; }

 private:
  const Rules& rules_;
  const PlaySettings& settings_;
  CacheStats cache_;
  std::map<std::uint32_t, std::unique_ptr<Evaluator>> all_;
};

}  // namespace

PlayFigures& PlayFigures::operator+=(const PlayFigures& other) {
  play += other.play;
  cache.asked += other.cache.asked;
  cache.hits += other.cache.hits;
  batches += other.batches;
  questions += other.questions;
  return *this;
}

StoredGame to_stored(const GameRecord& record, const Rules& rules, const ModelBook& book) {
  StoredGame game;
  game.game = rules.name();
  game.rules = rules.fingerprints().rules;
  game.record = record;
  for (PlyRecord& ply : game.record.plies) {
    if (!is_example(ply)) continue;
    const std::string id = book.id(ply.model);  // two numbers may have one id
    const auto found = std::ranges::find(game.models, id);
    ply.model = std::uint32_t(found - game.models.begin());
    if (found == game.models.end()) game.models.push_back(id);
  }
  return game;
}

GameRecord to_record(const StoredGame& game, ModelBook& book) {
  GameRecord record = game.record;
  for (PlyRecord& ply : record.plies)
    if (is_example(ply)) ply.model = book.number_of(game.models.at(ply.model));
  return record;
}

void SelfPlayer::use(PlayModelPtr model) {
  const std::lock_guard lock(mutex_);
  model_ = std::move(model);
}

PlayModelPtr SelfPlayer::newest() const {
  const std::lock_guard lock(mutex_);
  return model_;
}

void SelfPlayer::play_on(const StoredGame& game) {
  auto record = std::make_shared<GameRecord>(to_record(game, book_));
  const std::lock_guard lock(mutex_);
  if (!resumed_.emplace(record->seed, game.id).second) return;  // it is here already
  adjourned_.push_back({record->number, record->seed, record});
}

std::size_t SelfPlayer::waiting_to_go_on() const {
  const std::lock_guard lock(mutex_);
  return adjourned_.size();
}

void SelfPlayer::start() {
  for (int i = 0; i < config_.threads; ++i) {
    Seat& seat = seats_.emplace_back();
    threads_.emplace_back([this, &seat] {
      try {
        work(seat);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        failed_ = stopping_ = true;
      }
    });
  }
}

SelfPlayer::~SelfPlayer() {
  try {
    stop();
  } catch (...) {  // whoever wanted to know has asked
  }
}

void SelfPlayer::stop() {
  stopping_ = true;
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

std::optional<GameTicket> SelfPlayer::next_game() {
  if (stopping_ || holding_ || !sink_.accepts()) return {};
  const std::lock_guard lock(mutex_);
  if (!adjourned_.empty()) {
    const GameTicket ticket = std::move(adjourned_.front());
    adjourned_.pop_front();
    return ticket;
  }
  if (next_number_ == wanted()) return {};
  const std::uint64_t number = next_number_++;
  return GameTicket{number,
                    Hash().add(config_.seed).add_text(config_.instance).add(number).value()};
}

StoredGame SelfPlayer::stored(const GameRecord& record) {
  StoredGame game = to_stored(record, rules_, book_);
  game.settings = config_.play.text();
  game.worker = config_.worker;
  const std::lock_guard lock(mutex_);
  if (const auto resumed = resumed_.find(record.seed); resumed != resumed_.end()) {
    game.id = resumed->second;
    resumed_.erase(resumed);
  } else {
    fill_random(game.id);
  }
  return game;
}

void SelfPlayer::finish(const GameRecord& record) {
  sink_.deliver(stored(record));
  ++finished_;
}

void SelfPlayer::work(Seat& seat) {
  Evaluators evaluators(rules_, config_.play);
  const auto evaluator_of = [&](std::uint32_t model) -> Evaluator& { return evaluators[model]; };
  // One group's trees are walked while the others' positions are judged.
  const int lanes = this->lanes();
  std::deque<GameGroup> groups;
  for (int i = 0; i < lanes; ++i)
    groups.emplace_back(
        rules_, config_.play.game, (config_.play.games_per_thread + i) / lanes,
        [this] { return next_game(); }, [this](const GameRecord& record) { finish(record); });
  PlayFigures figures;
  PlayModelPtr model;
  for (int round = 0; !stopping_; ++round) {
    if (PlayModelPtr now = newest(); now != model) {
      model = std::move(now);
      evaluators.add(*model);
    }
    std::size_t questions = 0;
    for (GameGroup& group : groups) {
      group.finish_round();
      group.use(model->number);
      const std::size_t asked = group.begin_round(evaluator_of);
      figures.batches += asked > 0;
      questions += asked;
    }
    figures.questions += questions;
    if (questions > 0 && round % kRoundsBetweenFigures != 0) continue;
    std::uint32_t oldest = model->number;
    figures.play = {};
    for (const GameGroup& group : groups) {
      oldest = std::min(oldest, group.oldest_model());
      figures.play += group.stats();
    }
    evaluators.drop_before(oldest);
    figures.cache = evaluators.cache();
    {
      const std::lock_guard lock(seat.mutex);
      seat.figures = figures;
      seat.model = oldest;
    }
    if (questions == 0) std::this_thread::sleep_for(kNothingToDo);
  }
  for (GameGroup& group : groups) {
    group.finish_round();
    group.adjourn([this](const GameRecord& record) { sink_.deliver(stored(record)); });
  }
}

int SelfPlayer::lanes() const {
  return std::min(batches_in_flight(config_.play.engine), config_.play.games_per_thread);
}

int SelfPlayer::largest_batch() const {
  return (config_.play.games_per_thread + lanes() - 1) / lanes();
}

PlayFigures SelfPlayer::figures() const {
  PlayFigures sum;
  for (const Seat& seat : seats_) {
    const std::lock_guard lock(seat.mutex);
    sum += seat.figures;
  }
  return sum;
}

std::uint32_t SelfPlayer::oldest_model() const {
  std::uint32_t oldest = UINT32_MAX;
  for (const Seat& seat : seats_) {
    const std::lock_guard lock(seat.mutex);
    oldest = std::min(oldest, seat.model);
  }
  return oldest;
}

}  // namespace tabula
