// Games out of a database, and into it.
#include <fstream>
#include <functional>
#include <iostream>

#include "core/data/examples.h"
#include "core/data/game_check.h"
#include "core/data/game_codec.h"
#include "core/data/game_json.h"
#include "core/store/ownership.h"
#include "core/store/reader.h"
#include "core/store/store.h"
#include "front/db.h"
#include "front/plugins.h"
#include "front/running_store.h"

namespace tabula {
namespace {

constexpr std::size_t kPageBytes = std::size_t{4} << 20, kBatch = 64, kBatchBytes = 1 << 20,
                      kMostShown = 20;

RulesPtr rules_of(const Identity& identity, const Plugins& plugins) {
  const RulesPtr rules =
      plugins.registry().find(identity.plugin.empty() ? identity.game : identity.plugin);
  if (rules->fingerprints().rules != identity.rules)
    throw Error("the plugin that is found has other rules of " + identity.game +
                " than the database's games.");
  return rules;
}

// Where lines go: a file that must be written in full, or standard output.
class Lines {
 public:
  explicit Lines(const std::string& file) : name_(file) {
    if (!file.empty()) file_.open(file, std::ios::trunc);
  }
  void add(const std::string& line) { out() << line << "\n"; }
  void finish() {
    if (!out().flush())
      throw Error("cannot write " + (name_.empty() ? "the output." : name_ + "."));
  }

 private:
  std::ostream& out() { return name_.empty() ? std::cout : file_; }
  std::string name_;
  std::ofstream file_;
};

Identity identity_for(const std::string& path, const std::string& game, const Plugins& plugins) {
  if (std::filesystem::exists(path)) return Reader(path).identity();
  if (game.empty())
    throw Error(path + ": there is no such file; to make it, say which game with --game.");
  const RulesPtr rules = plugins.registry().find(game);
  return {rules->name(), rules->fingerprints().rules, game};
}

// Lines of JSON on their way into a store.
class Import {
 public:
  using Put = std::function<std::vector<Fate>(const std::vector<Arrival>&)>;

  Import(Put put, const Rules& rules, const std::string& worker)
      : put_(std::move(put)), rules_(rules), worker_(worker) {}

  void add(const std::string& line) {
    ++lines_;
    if (line.find_first_not_of(" \t\r") == line.npos) return;
    try {
      pending_.push_back(arrival_of(line));
      bytes_ += pending_.back().bytes.size();
    } catch (const Error& error) {
      if (++refused_ <= kMostShown) std::cerr << "line " << lines_ << ": " << error.what() << ".\n";
    }
    if (pending_.size() == kBatch || bytes_ > kBatchBytes) flush();
  }
  int finish() {
    flush();
    std::cout << stored_ << " games stored, " << known_ << " known before, " << refused_
              << " refused.\n";
    return refused_ == 0 ? 0 : 1;
  }

 private:
  Arrival arrival_of(const std::string& line) const {
    const ForeignLine read = read_game_json(line);
    const StoredGame game = foreign_game(rules_, read.moves, read.result, worker_);
    if (const auto fault = fault_in(game, rules_)) throw Error(fault->substr(0, fault->size() - 1));
    return {.id = game.id,
            .bytes = encode_game(game),
            .account = "local",
            .worker = worker_,
            .models = game.models,
            .positions = std::uint32_t(std::ranges::count_if(game.record.plies, is_example))};
  }
  void flush() {
    if (pending_.empty()) return;
    for (const Fate fate : put_(pending_))
      ++(fate == Fate::stored ? stored_ : fate == Fate::known ? known_ : refused_);
    pending_.clear();
    bytes_ = 0;
  }

  Put put_;
  const Rules& rules_;
  std::string worker_;
  std::vector<Arrival> pending_;
  std::size_t bytes_ = 0;  // of them
  std::uint64_t lines_ = 0, stored_ = 0, known_ = 0, refused_ = 0;
};

// Through the store that runs: it checks them once more.
std::vector<Fate> send(Client& store, const std::vector<Arrival>& games) {
  Append append;
  for (const Arrival& game : games) append.games.push_back({game.id, game.bytes});
  std::vector<Fate> fates;
  for (const Receipts::Item& item : store.ask<Receipts>(append).items) fates.push_back(item.fate);
  return fates;
}

std::vector<Fate> add(Store& store, const std::vector<Arrival>& games) {
  std::vector<Fate> fates;
  for (const Receipt& receipt : store.add(games)) fates.push_back(receipt.fate);
  return fates;
}

int import_lines(std::istream& in, Import import) {
  for (std::string line; std::getline(in, line);) import.add(line);
  return import.finish();
}

}  // namespace

int db_export_command(const Args& args) {
  std::string path, out;
  bool policies = false;
  Plugins plugins;
  Options options("tabula db export PATH [--out FILE] [--policies]",
                  "Writes the games as lines of JSON: id, worker, models, ending, result, moves.");
  options.argument("PATH", path);
  options.add("out", out, "write there instead of to the terminal");
  options.flag("policies", policies, "also each move's value and policy");
  plugins.declare(options);
  if (!options.parse(args)) return 0;

  const Reader reader(path);
  RulesPtr rules;
  try {
    rules = rules_of(reader.identity(), plugins);
  } catch (const Error& error) {
    std::cerr << "moves are given by number: " << error.what() << "\n";
  }
  Lines lines(out);
  std::uint64_t damaged = 0;
  LogPage page;
  for (std::uint64_t after = 0; (page = reader.read(after, kPageBytes)).next > after;
       after = page.next) {
    damaged += page.damaged;
    for (const LogEntry& entry : page.entries)
      if (entry.kind == LogEntry::Kind::game)
        lines.add(game_json(decode_game(entry.bytes), rules.get(), policies));
  }
  lines.finish();
  if (damaged > 0)
    throw Error(std::to_string(damaged) + " damaged games were left out; 'tabula db check " + path +
                "' says more.");
  return 0;
}

int db_import_command(const Args& args) {
  std::string path, file, game, key, worker = "import";
  Plugins plugins;
  Options options("tabula db import PATH FILE [--game GAME] [--worker NAME]",
                  "Reads games of others, lines of JSON such as {\"moves\": [\"4\", \"3\"], "
                  "\"result\": 1}, plays them\nagain by the rules, and stores them. They teach "
                  "who wins, not what to play. '-' reads the terminal.");
  options.argument("PATH", path).argument("FILE", file);
  options.add("game", game, "whose games they are, to make a new database");
  options.add("worker", worker, "what to call who played them");
  options.add("key", key, "a worker's key file, where a store runs with keys");
  plugins.declare(options);
  if (!options.parse(args)) return 0;

  const Identity identity = identity_for(path, game, plugins);
  const RulesPtr rules = rules_of(identity, plugins);
  std::ifstream in;
  if (file != "-") in.open(file);
  if (file != "-" && !in) throw Error(file + ": cannot read it.");
  std::istream& lines = file == "-" ? std::cin : in;
  if (const auto running = running_store(path, key))
    return import_lines(
        lines,
        {[&](const std::vector<Arrival>& games) { return send(*running, games); }, *rules, worker});
  const Ownership mine(path);
  Store store(path, identity);
  return import_lines(lines, {[&](const std::vector<Arrival>& games) { return add(store, games); },
                              *rules, worker});
}

}  // namespace tabula
