#include "front/db.h"

#include <iostream>
#include <map>

#include "core/base/nearest.h"
#include "core/store/errors.h"
#include "core/store/model_files.h"
#include "core/store/reader.h"
#include "front/commands.h"

namespace tabula {
namespace {

const std::map<std::string, int (*)(const Args&)> kWords = {
    {"check", db_check_command},   {"stats", db_stats_command},   {"export", db_export_command},
    {"import", db_import_command}, {"backup", db_backup_command}, {"drop", db_drop_command}};

constexpr const char* kUsage = "tabula db check|stats|export|import|backup|drop PATH [options]";

std::vector<std::string> faults_in(const std::string& path) try {
  const Reader reader(path);
  std::vector<std::string> faults = reader.check();
  for (const ModelRow& model : reader.models()) try {
      ModelFiles(path).verify(model.id);
    } catch (const Error& error) {
      faults.emplace_back(error.what());
    }
  return faults;
} catch (const Damaged&) {
  return {"The file is damaged where everything else is found from; take a backup of it."};
}

void copy_model(const ModelFiles& from, ModelFiles to, const std::string& id) {
  std::uint64_t at = 0;
  for (std::string piece; !(piece = from.piece(id, at, std::size_t{1} << 20)).empty();)
    at = to.receive(id, at, piece);
  to.complete(id);
}

}  // namespace

int db_check_command(const Args& args) {
  std::string path;
  Options options("tabula db check PATH",
                  "Verifies the file's structure, every row's digest, the totals, and the files of "
                  "models, and prints\na sentence for each fault.");
  options.argument("PATH", path);
  if (!options.parse(args)) return 0;
  const std::vector<std::string> faults = faults_in(path);
  for (const std::string& fault : faults) std::cout << fault << "\n";
  if (!faults.empty()) return 1;
  const Reader reader(path);
  std::cout << path << " is sound: " << reader.totals().games << " games, "
            << reader.models().size() << " models.\n";
  return 0;
}

int db_backup_command(const Args& args) {
  std::string path, to;
  Options options("tabula db backup PATH TO",
                  "Copies a database and its models, also while programs use it. TO must not be "
                  "there yet.");
  options.argument("PATH", path).argument("TO", to);
  if (!options.parse(args)) return 0;
  Reader(path).backup(to);
  // Files are in place before their rows are, so each that the copy names is there.
  const Reader copy(to);
  for (const ModelRow& model : copy.models())
    copy_model(ModelFiles(path), ModelFiles(to), model.id);
  std::cout << to << ": " << copy.totals().games << " games, " << copy.models().size()
            << " models.\n";
  return 0;
}

int db_command(const Args& args) {
  const std::string word = args.empty() ? "--help" : args[0];
  const Args rest(args.empty() ? args.begin() : args.begin() + 1, args.end());
  if (const auto found = kWords.find(word); found != kWords.end()) return found->second(rest);
  Options options(kUsage, "Looks after a database of games; 'tabula db WORD --help' tells more.");
  if (word.starts_with("-")) return options.parse({word}), 0;
  std::vector<std::string> words;
  for (const auto& [name, run] : kWords) words.push_back(name);
  throw Error("there is no 'tabula db " + word + "'." + did_you_mean(word, words) +
              " It is one of check, stats, export, import, backup, drop.");
}

}  // namespace tabula
