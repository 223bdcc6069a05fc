#include "core/service/server.h"

#include <algorithm>

#include "core/base/clock.h"
#include "core/base/die_at.h"
#include "core/base/health.h"
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/printable.h"
#include "core/service/permissions.h"
#include "core/service/server_impl.h"

namespace tabula {
namespace {

constexpr std::int64_t kMaintenanceMs = 1000, kIdleMs = 1000, kPaceMs = 5000, kRefusalMs = 10'000;
constexpr int kMessagesATurn = 256;
constexpr std::uint64_t kLogTooLong = std::uint64_t{16} << 20;
constexpr std::uint64_t kRetireAtOnce = 512;

void check_addresses(const ServiceConfig& config) {
  for (const std::string& address : config.listen)
    if (!is_local(address) && config.keys.empty() && !config.insecure)
      throw Error(
          "listening at " + address +
          " would let anybody in: make keys ('tabula keys new DIR') and give --keys DIR, or "
          "say --insecure.");
}

}  // namespace

Server::Impl::Impl(const ServiceConfig& settings, RulesPtr game, const std::string& plugin)
    : config((check_addresses(settings), settings)),
      rules(std::move(game)),
      ownership(config.database),
      store(config.database, Identity{rules->name(), rules->fingerprints().rules, plugin}),
      reader(config.database),
      files(config.database),
      socket(config.listen, config.keys),
      gate(*rules,
           [this](const std::string& id) {
             if (models.contains(id)) return true;
             if (!reader.model(id)) return false;
             models.insert(id);
             return true;
           }),
      intake(config.intake),
      writer(store, [this] { socket.wake(); }) {
  if (!config.keys.empty()) {
    accounts.emplace(config.keys);
    keys = read_store_keys(config.keys);
  }
  head = reader.head();
  ownership.say_address(socket.addresses().front());
}

std::optional<Role> Server::Impl::role_of(const std::string& account) {
  if (!accounts) return Role::admin;
  const std::optional<Account> found = accounts->by_name(account);
  return found ? std::optional(found->role) : std::nullopt;
}

void Server::Impl::refuse(const Caller& to, const std::string& sentence, bool later) {
  reply(to, Refused{later, printable(sentence, kMaxSentence)});
}

void Server::Impl::refuse_after(const Caller& to, const std::exception& error) {
  refuse(to, error.what(), dynamic_cast<const DiskFull*>(&error) != nullptr);
}

void Server::Impl::handle(const Incoming& incoming) {
  Caller caller{incoming.route, incoming.account};
  try {
    Received message(incoming.bytes);
    caller.request = message.envelope().request;
    if (const std::uint64_t theirs = message.envelope().protocol; !is_served(theirs, kProtocol))
      return refuse(caller, "this store speaks version " + std::to_string(kProtocol) +
                                " of the protocol and the one before, not version " +
                                std::to_string(theirs) +
                                "; install the same Tabula on both sides.");
    const std::optional<Role> role = role_of(caller.account);
    if (!role || !may(*role, message.envelope().type))
      return refuse(caller, "the account '" + caller.account + "'" +
                                (role ? " is a " + std::string(role_name(*role)) : " is unknown") +
                                " and may not ask for this.");
    dispatch(caller, message);
  } catch (const FlushFailed&) {
    throw;
  } catch (const DiskFull& full) {
    refuse(caller, full.what(), true);
  } catch (const Error& error) {
    presence.malformed(caller.account);
    refuse(caller, error.what());
  }
}

void Server::Impl::dispatch(const Caller& caller, Received& message) {
  const auto is = [&]<class Message>(Message*) {
    if (!message.is(Message::kType)) return false;
    on(caller, message.as<Message>());
    return true;
  };
  const auto any = [&]<class... Messages>(std::tuple<Messages...>*) {
    return (is(static_cast<Messages*>(nullptr)) || ...);
  };
  using Requests = std::tuple<Hello, Append, Read, Models, Fetch, Publish, AskChampion, Promote,
                              OpenMatch, Matches, AskSlot, ReportSlot, Reports, Decide,
                              TakeAdjourned, Beat, AskStatus, Drop>;
  if (!any(static_cast<Requests*>(nullptr))) throw Error("this is no request.");
}

void Server::Impl::commit_due() {
  const std::span<const Arrival> group = intake.next(clock_ms());
  if (group.empty()) return;
  writer.post(
      [this, group](Store& writing) -> Writer::Then {
        std::vector<Receipt> receipts = writing.add(group);
        if (writing.log_bytes() > kLogTooLong) writing.checkpoint();
        return [this, group, receipts] {
          die_at("service.committed");
          trouble.clear();
          for (std::size_t i = 0; i < group.size(); ++i) {
            presence.count(group[i].account, receipts[i].fate);
            head = std::max(head, receipts[i].sequence);
          }
          for (const Intake::Reply& each : intake.committed(receipts))
            reply({each.route, "", each.request}, each.receipts);
          die_at("service.answered");
          serve_readers();
        };
      },
      [this](const std::exception& error) {
        if (trouble != error.what()) log(trouble = error.what());
        for (const Intake::Reply& each : intake.failed())
          refuse({each.route, "", each.request}, error.what(), true);
      });
}

// Somebody who is not let in tries again and again: one line in a while is enough.
void Server::Impl::note_refused() {
  while (const std::optional<std::string> with = socket.refused()) {
    ++refused;
    if (clock_ms() < next_refusal) continue;
    next_refusal = clock_ms() + kRefusalMs;
    log("a client was refused: it came with " + *with,
        {{"refused so far", std::to_string(refused)}});
  }
}

void Server::Impl::note_refused_game(const std::string& account, const std::string& reason) {
  ++refused_games;
  if (clock_ms() < next_refused_game) return;
  next_refused_game = clock_ms() + kRefusalMs;
  log("a game was refused", {{"account", account},
                             {"reason", reason},
                             {"refused so far", std::to_string(refused_games)}});
}

void Server::Impl::maintain() {
  next_maintenance = clock_ms() + kMaintenanceMs;
  presence.forget_silent(clock_ms());
  say_health(trouble.empty(), trouble);
  note_refused();
  if (const std::int64_t now = clock_ms(); now - paced >= kPaceMs) {
    const std::uint64_t stored = reader.totals().seen_positions;
    const double seconds = double(now - paced) / 1000;
    PaceReport report = presence.pace(now);
    report.stored_per_second = double(stored - paced_positions) / seconds;
    if (paced > 0) pace.look(report, seconds);
    paced = now;
    paced_positions = stored;
  }
  {
    const ServiceSummary now = summarise();
    const std::lock_guard lock(summary_mutex);
    summary = now;
  }
  if (writer.waiting() > 0) return;
  writer.post(
      [this](Store& writing) -> Writer::Then {
        // Workers of a training that rested take them first.
        if (clock_ms() - began >= 1000 * config.abandon_seconds)
          writing.abandon_adjourned(steady_unix_seconds() - config.abandon_seconds);
        const std::uint64_t gone = writing.retire(config.keep, kRetireAtOnce);
        if (writing.log_bytes() > kLogTooLong) writing.checkpoint();
        return [this, gone] {
          if (gone == kRetireAtOnce) next_maintenance = 0;  // there is more to do
        };
      },
      [this](const std::exception& error) {
        if (trouble != error.what()) log(trouble = error.what());
      });
}

ServiceSummary Server::Impl::summarise() const {
  return {.game = rules->name(),
          .champion = reader.champion().model,
          .trouble = trouble,
          .head = head,
          .waiting = intake.waiting(),
          .refused = refused,
          .totals = reader.totals(),
          .programs = presence.programs(clock_ms()),
          .pace = presence.pace(clock_ms()),
          .plies_per_worker = pace.plies_per_worker(),
          .memory = resident_megabytes(),
          .wanted_workers = pace.wanted()};
}

std::int64_t Server::Impl::patience() const {
  std::int64_t until = std::min({clock_ms() + kIdleMs, next_maintenance, intake.wake()});
  for (const auto& [route, reading] : readers)
    until = reading.read.after < head ? 0 : std::min(until, reading.until);
  return std::max<std::int64_t>(0, until - clock_ms());
}

void Server::Impl::serve() {
  while (!stopping) {
    socket.wait(patience());
    writer.finish();
    for (int i = 0; i < kMessagesATurn; ++i) {
      const std::optional<Incoming> incoming = socket.receive();
      if (!incoming) break;
      handle(*incoming);
      commit_due();
    }
    commit_due();
    serve_readers();
    if (clock_ms() >= next_maintenance) maintain();
  }
  settle();
}

// What was taken in is committed, and its senders are told.
void Server::Impl::settle() {
  while (intake.waiting() > 0 || intake.committing() || writer.waiting() > 0) {
    commit_due();
    socket.wait(5);
    writer.finish();
  }
}

Server::Server(const ServiceConfig& config, RulesPtr rules, const std::string& plugin)
    : impl_(std::make_unique<Impl>(config, std::move(rules), plugin)) {}
Server::~Server() = default;

std::vector<std::string> Server::addresses() const { return impl_->socket.addresses(); }
void Server::run() { impl_->serve(); }
void Server::stop() {
  impl_->stopping = true;
  impl_->socket.wake();
}
ServiceSummary Server::summary() const {
  const std::lock_guard lock(impl_->summary_mutex);
  return impl_->summary;
}

}  // namespace tabula
