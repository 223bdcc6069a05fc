// A store, workers and a consumer as processes of their own, which die and are started again.
#pragma once
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "tests/faults/ledger.h"
#include "tests/faults/process.h"
#include "tests/run.h"

namespace tabula {

inline std::string text_of(const std::string& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// How one program of a cluster is started.
struct Actor {
  std::string name;                // also its folder's
  std::vector<std::string> words;  // of the command
  std::optional<Process> process{};
  std::string die_at{};  // what it was started with
};

class Cluster {
 public:
  // `host` goes before each program's words, such as {"ip", "netns", "exec", NAME}.
  using Host = std::vector<std::string>;

  Cluster(std::filesystem::path folder, std::uint64_t seed, int workers)
      : folder_(std::move(folder)), seed_(seed), workers_(workers) {}

  std::string database() const { return folder_ / "store/games.db"; }
  std::string output(const Actor& actor) const { return folder_ / (actor.name + ".txt"); }

  void add_store(const std::string& listen, const Host& host = {},
                 const std::vector<std::string>& more = {}) {
    add("store", host,
        {program("replay"), "--db", database(), "--game", "connect4", "--listen", listen}, more);
  }
  void add_workers(const std::string& address, const Host& host = {},
                   const std::vector<std::string>& more = {}) {
    for (int i = 0; i < workers_; ++i) {
      const std::string name = "worker-" + std::to_string(i);
      add(name, host,
          {program("fault_worker"), "--folder", folder_ / name, "--address", address, "--seed",
           std::to_string(seed_), "--worker", std::to_string(i)},
          more);
    }
  }
  void add_consumer(const std::string& address, const Host& host = {},
                    const std::vector<std::string>& more = {}) {
    add("consumer", host,
        {program("fault_consumer"), "--folder", folder_ / "consumer", "--address", address}, more);
  }

  std::vector<Actor>& actors() { return actors_; }
  Actor& actor(const std::string& name) { return *std::ranges::find(actors_, name, &Actor::name); }
  void start(Actor& actor, const std::string& die_at = "", const std::string& setting = "") {
    actor.die_at = die_at;
    std::vector<std::string> environment = environment_;
    if (!die_at.empty()) environment.push_back("TABULA_DIE_AT=" + die_at);
    if (!setting.empty()) environment.push_back(setting);
    actor.process.emplace(actor.words, environment, output(actor));
  }
  void start_all() {
    for (Actor& actor : actors_) start(actor);
  }
  void set_environment(std::vector<std::string> settings) { environment_ = std::move(settings); }

  // The workers deliver all that they have made, the consumer reads all of it, and everybody ends.
  // Empty, or who did not, and what it said.
  std::string finish() {
    for (Actor& each : actors_)
      if (each.name.starts_with("worker")) each.process->kill(SIGTERM);
    for (Actor& each : actors_)
      if (each.name.starts_with("worker") && each.process->wait() != 0) return complaint(each);
    const std::string last = "cursor " + std::to_string(Reader(database()).head()) + "\n";
    const std::string seen = folder_ / "consumer/seen";
    for (const std::int64_t end = clock_ms() + 60000; !text_of(seen).ends_with(last);) {
      if (clock_ms() > end) return "the consumer has not seen all games.";
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    for (const char* name : {"consumer", "store"}) {
      actor(name).process->kill(SIGTERM);
      if (actor(name).process->wait() != 0) return complaint(actor(name));
    }
    return "";
  }

  std::string complaint(Actor& each) const {
    return each.name + " ended with " + std::to_string(each.process->wait()) +
           "; it said: " + text_of(output(each));
  }

  // Everything against everything. `sentences`: of Reader::check(), and about the consumer.
  FaultLedger::Count count(FaultLedger& ledger, std::vector<std::string>& sentences,
                           std::size_t* games = nullptr) {
    for (int i = 0; i < workers_; ++i) ledger.made(std::uint64_t(i), promises(i).saved);
    FaultLedger::Found found(ledger);
    const Reader reader(database());
    found.see_all(reader);
    for (int i = 0; i < workers_; ++i) found.require(std::uint64_t(i), promises(i).saved);
    sentences = reader.check();
    if (reader.totals().quarantined > 0) sentences.push_back("games were refused.");
    if (consumed() != stored(reader)) sentences.push_back("the consumer saw other games.");
    if (games) *games = found.games();
    return found.count;
  }
  Promises promises(int worker) const {
    return Promises::in(folder_ / ("worker-" + std::to_string(worker)));
  }

 private:
  void add(const std::string& name, const Host& host, const std::vector<std::string>& words,
           const std::vector<std::string>& more) {
    std::filesystem::create_directories(folder_ / name);
    Actor actor{name, host};
    actor.words.insert(actor.words.end(), words.begin(), words.end());
    actor.words.insert(actor.words.end(), more.begin(), more.end());
    actors_.push_back(std::move(actor));
  }
  // What the consumer wrote down, without its cursors.
  std::string consumed() const {
    std::istringstream in(text_of(folder_ / "consumer/seen"));
    std::string lines;
    for (std::string line; std::getline(in, line);)
      if (!line.starts_with("cursor ")) lines += line + "\n";
    return lines;
  }
  // The same, of what is there.
  static std::string stored(const Reader& reader) {
    std::string lines;
    for (const LogEntry& entry : entries_in(reader, 0, 1 << 20))
      lines += std::to_string(entry.sequence) + " " + hex(entry.id) + " " +
               hex(digest_of(entry.bytes)) + "\n";
    return lines;
  }

  std::filesystem::path folder_;
  std::uint64_t seed_;
  int workers_;
  std::vector<Actor> actors_;
  std::vector<std::string> environment_;
};

}  // namespace tabula
