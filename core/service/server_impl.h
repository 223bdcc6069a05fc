// A server's parts. server.cpp is the loop and who may do what; requests.cpp the requests.
#pragma once
#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/clock.h"
#include "core/service/gate.h"
#include "core/service/presence.h"
#include "core/service/server.h"
#include "core/service/writer.h"
#include "core/store/model_files.h"
#include "core/store/ownership.h"
#include "core/store/reader.h"
#include "core/store/store.h"
#include "core/wire/accounts.h"
#include "core/wire/message_codec.h"
#include "core/wire/server_socket.h"

namespace tabula {

// Whom an answer goes to.
struct Caller {
  std::string route, account;
  std::uint64_t request = 0;
};

struct WaitingReader {
  Caller caller;
  Read read;
  std::int64_t until = 0;  // when an answer is due, whatever it is
};

struct Server::Impl {
  Impl(const ServiceConfig& config, RulesPtr rules, const std::string& plugin);

  // The loop.
  void serve();
  void settle();
  void handle(const Incoming& incoming);
  void dispatch(const Caller& caller, Received& message);
  std::optional<Role> role_of(const std::string& account);
  void commit_due();
  void serve_readers();
  void maintain();
  void note_refused();
  void note_refused_game(const std::string& account, const std::string& reason);
  ServiceSummary summarise() const;
  std::int64_t patience() const;

  // The requests.
  void on(const Caller&, const Hello&);
  void on(const Caller&, Append);
  void on(const Caller&, const Read&);
  void on(const Caller&, const Models&);
  void on(const Caller&, const Fetch&);
  void on(const Caller&, const Publish&);
  void on(const Caller&, const AskChampion&);
  void on(const Caller&, const Promote&);
  void on(const Caller&, const OpenMatch&);
  void on(const Caller&, const Matches&);
  void on(const Caller&, const AskSlot&);
  void on(const Caller&, const ReportSlot&);
  void on(const Caller&, const Reports&);
  void on(const Caller&, const Decide&);
  void on(const Caller&, const TakeAdjourned&);
  void on(const Caller&, const Beat&);
  void on(const Caller&, const AskStatus&);
  void on(const Caller&, const Drop&);
  bool send_page(WaitingReader& reading);
  void finish_model(const Caller&, const ModelRow&);
  std::string check_model(const ModelRow& row) const;

  template <class Message>
  void reply(const Caller& to, const Message& message) {
    socket.send(to.route, encode_message(message, to.request));
  }
  void refuse(const Caller& to, const std::string& sentence, bool later = false);
  // Does `change` on the writing thread and sends what it returns.
  template <class Change>
  void write(const Caller& to, Change change) {
    writer.post(
        [this, to, change](Store& writing) -> Writer::Then {
          auto answer = change(writing);
          return [this, to, answer] { reply(to, answer); };
        },
        [this, to](const std::exception& error) { refuse_after(to, error); });
  }
  void refuse_after(const Caller& to, const std::exception& error);

  ServiceConfig config;
  RulesPtr rules;
  Ownership ownership;
  Store store;
  Reader reader;
  ModelFiles files;
  std::optional<Accounts> accounts;
  std::optional<StoreKeys> keys;
  ServerSocket socket;
  Gate gate;
  Intake intake;
  Presence presence;
  Pace pace;
  std::int64_t paced = 0;             // when it looked last,
  std::uint64_t paced_positions = 0;  // and what had been stored then
  std::mutex summary_mutex;
  ServiceSummary summary;                        // for other threads
  std::set<std::string> models;                  // ids known to be in the registry
  std::map<std::string, WaitingReader> readers;  // by route
  std::uint64_t head = 0;                        // the newest sequence number
  const std::int64_t began = clock_ms();
  std::int64_t next_maintenance = 0, next_refusal = 0;
  std::uint64_t refused = 0;  // clients that were not let in
  std::uint64_t refused_games = 0;
  std::int64_t next_refused_game = 0;  // to be told of
  std::string trouble;                 // last said about the disk
  std::atomic<bool> stopping = false;
  Writer writer;  // last: its thread uses the others
};

}  // namespace tabula
