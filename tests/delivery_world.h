// Workers, a store and a network that loses, doubles and reorders, all made up; only the two halves
// of the delivery protocol, Sender and Intake, are real. Any of them may crash at any step.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "core/service/intake.h"
#include "core/wire/sender.h"

namespace tabula {

struct DeliveryFaults {
  int lost = 0, doubled = 0, late = 0, worker_crashes = 0, store_crashes = 0, told_nobody = 0,
      full = 0, resent = 0;
  void add(const DeliveryFaults& more) {
    lost += more.lost, doubled += more.doubled, late += more.late;
    worker_crashes += more.worker_crashes, store_crashes += more.store_crashes;
    told_nobody += more.told_nobody, full += more.full, resent += more.resent;
  }
};

class DeliveryWorld {
 public:
  explicit DeliveryWorld(std::uint64_t seed) : rng_(seed) {
    workers_.resize(1 + rng_.below(3));
    for (Worker& worker : workers_) restart(worker);
  }

  // Some hundred steps with faults, then as many without as it takes. Returns what is wrong, or "".
  std::string run() {
    for (std::uint32_t left = 20 + rng_.below(150); left > 0 && wrong_.empty(); --left) step(true);
    for (int left = 100000; left > 0 && wrong_.empty() && !settled(); --left) step(false);
    if (wrong_.empty() && !settled()) wrong_ = "games are never delivered";
    for (const auto& [id, bytes] : made_) {
      const auto found = stored_.find(id);
      if (wrong_.empty() && found == stored_.end()) wrong_ = "a game is lost";
      if (wrong_.empty() && found->second != bytes) wrong_ = "a game is altered";
    }
    if (wrong_.empty() && stored_.size() != made_.size()) wrong_ = "a game came from nowhere";
    return wrong_;
  }

  const DeliveryFaults& faults() const { return faults_; }
  std::size_t games() const { return made_.size(); }

 private:
  struct Worker {
    std::map<GameId, std::string> outbox;  // survives crashes
    std::vector<Sender> sender;            // one; does not
  };
  struct Message {
    bool to_store = true;
    std::size_t worker = 0;
    std::uint64_t request = 0;
    std::vector<std::pair<GameId, std::string>> games{};
    Receipts receipts{};
    bool later = false;
  };

  static SenderConfig small() {
    return {.in_flight = 5,
            .message_games = 3,
            .message_bytes = 40,
            .wait_ms = 50,
            .longest_wait_ms = 400};
  }
  void restart(Worker& worker) {
    worker.sender.clear();
    worker.sender.emplace_back(small(), rng_.next());
    for (const auto& [id, bytes] : worker.outbox) worker.sender[0].add(id, bytes.size());
  }
  bool settled() const {
    for (const Worker& worker : workers_)
      if (!worker.outbox.empty()) return false;
    return true;
  }
  bool chance(std::uint32_t one_in) { return rng_.below(one_in) == 0; }

  void step(bool faulty) {
    now_ += rng_.below(faulty ? 30 : 10);
    const std::size_t who = rng_.below(std::uint32_t(workers_.size()));
    switch (rng_.below(faulty ? 12 : 5)) {
      case 0:
      case 1:
        return send(who);
      case 2:
      case 3:
        return carry(faulty);
      case 4:
        return commit(faulty);
      case 5:
      case 6:
        return make(workers_[who]);
      case 7:
        return lose();
      case 8:
        return twice();
      case 9:
        if (chance(3)) ++faults_.worker_crashes, restart(workers_[who]);
        return;
      case 10:
        if (chance(3)) crash_store();
        return;
      default:
        now_ += rng_.below(300);
        return;
    }
  }
  void make(Worker& worker) {
    GameId id{};
    for (std::uint8_t& byte : id) byte = std::uint8_t(rng_.next());
    const std::string bytes(1 + rng_.below(30), char('a' + rng_.below(26)));
    made_[id] = worker.outbox[id] = bytes;
    worker.sender[0].add(id, bytes.size());
  }
  void send(std::size_t who) {
    Worker& worker = workers_[who];
    const std::uint64_t before = worker.sender[0].resent();
    const std::vector<GameId> ids = worker.sender[0].next(now_);
    faults_.resent += int(worker.sender[0].resent() - before);
    if (ids.empty()) return;
    Message message{.to_store = true, .worker = who, .request = ++requests_};
    for (const GameId& id : ids) message.games.emplace_back(id, worker.outbox.at(id));
    flying_.push_back(std::move(message));
  }
  // Any message under way arrives, not the oldest first.
  void carry(bool) {
    if (flying_.empty()) return;
    const std::size_t which = rng_.below(std::uint32_t(flying_.size()));
    faults_.late += which > 0;
    const Message message = flying_[which];
    flying_.erase(flying_.begin() + std::ptrdiff_t(which));
    message.to_store ? arrive(message) : hear(message);
  }
  void arrive(const Message& message) {
    std::vector<Arrival> arrivals;
    for (const auto& [id, bytes] : message.games) arrivals.push_back({.id = id, .bytes = bytes});
    if (!intake_.take(std::to_string(message.worker), message.request, std::move(arrivals), now_))
      flying_.push_back({.to_store = false, .worker = message.worker, .later = true});
  }
  void hear(const Message& message) {
    Worker& worker = workers_[message.worker];
    if (message.later) worker.sender[0].hold(now_);
    for (const Receipts::Item& item : message.receipts.items) {
      if (!worker.sender[0].settle(item.id)) continue;
      if (!stored_.contains(item.id)) wrong_ = "a game was acknowledged that is not stored";
      worker.outbox.erase(item.id);
    }
  }
  void commit(bool faulty) {
    const std::span<const Arrival> group = intake_.next(now_);
    if (group.empty()) return;
    if (faulty && chance(8)) {  // the disk is full
      ++faults_.full;
      for (const Intake::Reply& reply : intake_.failed())
        flying_.push_back({.to_store = false, .worker = std::stoul(reply.route), .later = true});
      return;
    }
    if (faulty && chance(12)) return crash_store();  // before the commit
    std::vector<Receipt> receipts;
    for (const Arrival& arrival : group) {
      const bool is_new = stored_.emplace(arrival.id, arrival.bytes).second;
      receipts.push_back({is_new ? Fate::stored : Fate::known, 0});
    }
    if (faulty && chance(8)) {  // after it, before anybody was told
      ++faults_.told_nobody;
      return crash_store();
    }
    for (const Intake::Reply& reply : intake_.committed(receipts))
      flying_.push_back({.to_store = false,
                         .worker = std::stoul(reply.route),
                         .request = reply.request,
                         .receipts = reply.receipts});
  }
  void crash_store() {
    ++faults_.store_crashes;
    intake_ = Intake(kGroups);
  }
  void lose() {
    if (flying_.empty()) return;
    ++faults_.lost;
    flying_.erase(flying_.begin() + std::ptrdiff_t(rng_.below(std::uint32_t(flying_.size()))));
  }
  void twice() {
    if (flying_.empty()) return;
    ++faults_.doubled;
    const Message copy = flying_[rng_.below(std::uint32_t(flying_.size()))];
    flying_.push_back(copy);
  }

  static constexpr IntakeConfig kGroups{
      .group_games = 4, .group_ms = 20, .most_games = 8, .most_bytes = 200};
  Rng rng_;
  std::vector<Worker> workers_;
  Intake intake_{kGroups};
  std::map<GameId, std::string> made_, stored_;
  std::vector<Message> flying_;
  std::int64_t now_ = 1000;
  std::uint64_t requests_ = 0;
  std::string wrong_;
  DeliveryFaults faults_;
};

}  // namespace tabula
