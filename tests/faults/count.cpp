// Holds a store against the exact ledger, for suites whose programs run in containers:
//   fault_count owed --outbox DIR          prints the ids of the finished games that wait there
//   fault_count --db FILE --game NAME --seed S --folder DIR ... --owed FILE
// The second counts what fault workers promised (their folders, in order) and games whose ids are
// in FILE; exit code 1 if anything is lost, duplicated, altered or made up.
#include <fstream>
#include <iostream>
#include <set>

#include "core/base/digest.h"
#include "core/cli/program.h"
#include "tests/faults/ledger.h"

namespace {
using namespace tabula;

struct CountOptions {
  std::string db, game = "connect4", owed;
  std::uint64_t seed = 1;
  std::vector<std::string> folders;

  bool parse(const Args& args) {
    Options options("fault_count --db FILE --folder DIR ...", "Holds a store against the ledger.");
    options.add("db", db, "the store's database")
        .add("game", game, "its game")
        .add("seed", seed, "of the fault workers' games")
        .add_list("folder", folders, "of each fault worker")
        .add("owed", owed, "a file of ids of games that must be there");
    return options.parse(args);
  }
};

int print_owed(const Args& args) {
  std::string folder;
  Options options("fault_count owed --outbox DIR", "Prints the ids of the games that wait there.");
  options.add("outbox", folder, "a copy of an outbox");
  if (!options.parse(args)) return 0;
  const Outbox outbox(folder, 1 << 30);
  for (const GameId& id : outbox.waiting())  // what was adjourned goes on under another worker
    if (!decode_game(*outbox.find(id)).adjourned()) std::cout << hex(id) << "\n";
  return 0;
}

int count(const Args& args) {
  if (!args.empty() && args[0] == "owed") return print_owed({args.begin() + 1, args.end()});
  CountOptions options;
  if (!options.parse(args)) return 0;
  const Reader reader(options.db);
  const RulesPtr rules = Registry::standard({}).find(options.game);
  FaultLedger ledger(options.seed, *rules);
  std::vector<std::uint64_t> saved;
  for (const std::string& folder : options.folders) {
    ledger.made(saved.size(), Promises::in(folder).saved);
    saved.push_back(Promises::in(folder).saved);
  }
  FaultLedger::Found found(ledger);
  std::set<std::string> others;
  for (const LogEntry& entry : entries_in(reader, 0, 1 << 20)) {
    if (entry.kind != LogEntry::Kind::game) continue;
    if (decode_game(entry.bytes).worker.starts_with("worker-"))
      found.see(entry.id, entry.bytes, true);
    else if (!others.insert(hex(entry.id)).second)
      ++found.count.duplicated;
  }
  for (std::size_t i = 0; i < saved.size(); ++i) found.require(i, saved[i]);
  std::ifstream file(options.owed);
  std::size_t owed = 0;
  for (std::string id; file >> id; ++owed) found.count.lost += !others.contains(id);
  const std::vector<std::string> faults = reader.check();
  for (const std::string& sentence : faults) std::cout << sentence << "\n";
  const std::uint64_t refused = reader.totals().quarantined;
  std::cout << found.games() << " games of the ledger, " << others.size() << " of self-play, "
            << owed << " that waited when a worker was killed: " << found.count.text()
            << "; refused " << refused << "\n";
  return found.count == FaultLedger::Count{} && faults.empty() && refused == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return tabula::run_program("fault_count", argc, argv, count); }
