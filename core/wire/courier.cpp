#include "core/wire/courier.h"

#include <algorithm>

#include "core/base/clock.h"
#include "core/base/die_at.h"
#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/wire/message_codec.h"

namespace tabula {
namespace {

constexpr std::int64_t kGatherMs = 2, kSaveAgainMs = 1000, kLongestTurnMs = 1000;
constexpr std::int64_t kTriesMs = 3 * kSaveAgainMs;

}  // namespace

Courier::Courier(const CourierConfig& config)
    : config_(config),
      outbox_(config.outbox, config.outbox_bytes),
      sender_(config.sender, random_word()),
      socket_(config.address, config.keys),
      heard_(clock_ms()) {
  for (const GameId& id : outbox_.waiting()) sender_.add(id, outbox_.find(id)->size());
  stats_.waiting = outbox_.games();
  stats_.waiting_bytes = outbox_.bytes();
  stats_.holding = outbox_.full();
  if (outbox_.damaged() > 0)
    stats_.trouble = config.outbox.string() + ": " + std::to_string(outbox_.damaged()) +
                     " files were damaged; they are kept as *.damaged.";
  thread_ = std::thread([this] { work(); });
}

Courier::~Courier() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  socket_.wake();
  thread_.join();
}

void Courier::deliver(OutboxGame game) {
  bool first = false;
  {
    const std::lock_guard lock(mutex_);
    first = new_games_.empty();
    new_games_.push_back(std::move(game));
    ++unsaved_count_;
  }
  if (first) socket_.wake();  // the others are found with it
}

bool Courier::accepts() const {
  const std::lock_guard lock(mutex_);
  if (broken_) std::rethrow_exception(broken_);
  return !stats_.holding;
}

bool Courier::settle_outbox() {
  std::unique_lock lock(mutex_);
  const auto settled = [&] { return broken_ || unsaved_count_ == 0; };
  do {
    changed_.wait_for(lock, std::chrono::milliseconds(kTriesMs), settled);
  } while (!settled() && !disk_full_);
  if (broken_) std::rethrow_exception(broken_);
  return settled();
}

bool Courier::wait_until_empty(std::int64_t ms) {
  std::unique_lock lock(mutex_);
  const auto empty = [&] { return unsaved_count_ == 0 && stats_.waiting == 0; };
  changed_.wait_for(lock, std::chrono::milliseconds(ms), [&] { return broken_ || empty(); });
  if (broken_) std::rethrow_exception(broken_);
  return empty();
}

std::size_t Courier::pending() const {
  const std::lock_guard lock(mutex_);
  return unsaved_count_ + stats_.waiting;
}

void Courier::say(std::vector<Beat::Figure> figures) {
  const std::lock_guard lock(mutex_);
  figures_ = std::move(figures);
}

CourierStats Courier::stats() const {
  const std::lock_guard lock(mutex_);
  return stats_;
}

void Courier::work() {
  try {
    for (;;) {
      turn();
      const std::lock_guard lock(mutex_);
      // On a full disk what is left was never said to be safe.
      if (ending_ && new_games_.empty() && (unsaved_.empty() || disk_full_)) return;
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    broken_ = std::current_exception();
  }
  changed_.notify_all();
}

void Courier::turn() {
  store_new_games();
  const std::int64_t now = clock_ms();
  send_due(now);
  send_beat(now);
  {
    const std::lock_guard lock(mutex_);
    stats_.waiting = outbox_.games();
    stats_.waiting_bytes = outbox_.bytes();
    stats_.holding = outbox_.full() || disk_full_;
    stats_.resent = sender_.resent();
    stats_.silent_ms = now - heard_;
  }
  changed_.notify_all();
  receive_until(std::min({now + kLongestTurnMs, sender_.wake(), next_beat_,
                          unsaved_.empty() ? now + kLongestTurnMs : next_save_}));
}

// One flush for all that come within a moment. A full disk keeps them here, and no new games begin.
void Courier::store_new_games() {
  bool at_once = false;
  {
    const std::lock_guard lock(mutex_);
    std::ranges::move(new_games_, std::back_inserter(unsaved_));
    new_games_.clear();
    at_once = ending_ || (!disk_full_ && unsaved_.size() >= config_.sender.message_games);
  }
  if (unsaved_.empty()) return;
  const std::int64_t now = clock_ms();
  if (next_save_ == 0) next_save_ = now + kGatherMs;
  if (!at_once && now < next_save_) return;
  try {
    outbox_.add(unsaved_);
  } catch (const DiskFull& full) {
    disk_full_ = true;
    next_save_ = now + kSaveAgainMs;
    note_trouble(full.what());
    return;
  }
  disk_full_ = false;
  next_save_ = 0;
  die_at("courier.saved");
  for (const OutboxGame& game : unsaved_) sender_.add(game.id, game.bytes.size());
  const std::lock_guard lock(mutex_);
  unsaved_count_ -= unsaved_.size();
  unsaved_.clear();
}

void Courier::send_due(std::int64_t now) {
  for (std::vector<GameId> ids; !(ids = sender_.next(now)).empty();) {
    AppendView append;
    for (const GameId& id : ids) append.games.push_back({id, *outbox_.find(id)});
    die_at("courier.before-send");
    socket_.send(encode_message(append, ++requests_));
    die_at("courier.sent");
  }
}

void Courier::send_beat(std::int64_t now) {
  if (now < next_beat_) return;
  next_beat_ = now + config_.beat_ms;
  Beat beat{config_.program, config_.worker, {}};
  {
    const std::lock_guard lock(mutex_);
    beat.figures = figures_;
  }
  if (!beat.figures.empty()) beat.figures.push_back({"memory", resident_megabytes()});
  socket_.send(encode_message(beat, ++requests_));
}

void Courier::receive_until(std::int64_t then) {
  std::int64_t wait = std::max<std::int64_t>(0, then - clock_ms());
  while (const std::optional<std::string> bytes = socket_.receive(wait)) {
    take(*bytes);
    wait = 0;
  }
}

void Courier::take(const std::string& bytes) {
  try {
    Received received(bytes);
    heard_ = clock_ms();
    if (received.is(MessageType::refused)) {
      const Refused refused = received.as<Refused>();
      sender_.hold(heard_);
      return note_trouble("the store says: " + refused.sentence);
    }
    if (!received.is(MessageType::receipts)) return;
    const Receipts receipts = received.as<Receipts>();
    note_trouble("");
    for (const Receipts::Item& item : receipts.items) {
      if (!sender_.settle(item.id)) continue;
      die_at("courier.acknowledged");
      outbox_.remove(item.id);
      die_at("courier.removed");
      const std::lock_guard lock(mutex_);
      std::uint64_t* const counts[] = {&stats_.stored, &stats_.known, &stats_.adjourned,
                                       &stats_.refused};
      ++*counts[std::size_t(item.fate)];
      if (item.fate == Fate::refused) stats_.trouble = "the store refused a game: " + item.reason;
    }
  } catch (const FlushFailed&) {
    throw;
  } catch (const Error& error) {
    note_trouble(std::string("the store's answer cannot be read: ") + error.what());
  }
}

void Courier::note_trouble(const std::string& trouble) {
  const std::lock_guard lock(mutex_);
  stats_.trouble = trouble;
}

}  // namespace tabula
