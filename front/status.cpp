// The state of a run, and what holds it back.
#include <algorithm>
#include <iostream>

#include "core/loop/store_link.h"
#include "core/store/ownership.h"
#include "front/commands.h"
#include "front/run/train_view.h"

namespace tabula {
namespace {

constexpr std::int64_t kPatienceMs = 5000;

// The run under `runs` that is under way, or else the one that was, if there is no other.
std::string only_run() {
  std::vector<std::string> under_way, at_rest;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator("runs", failed))
    if (const auto database = entry.path() / "games.db"; std::filesystem::exists(database, failed))
      (owner_of(database) ? under_way : at_rest).push_back(entry.path().string());
  std::vector<std::string>& found = under_way.empty() ? at_rest : under_way;
  if (found.empty())
    throw Error(
        "which run? There is none in 'runs' here; name a run's folder, a database or an address.");
  if (found.size() == 1) return found.front();
  std::ranges::sort(found);
  std::string all;
  for (const std::string& one : found) all += (all.empty() ? "" : ", ") + one;
  throw Error("which run? There are several" + std::string(under_way.empty() ? "" : " under way") +
              ": " + all + ".");
}

struct RunOptions {
  std::string run, key;

  bool parse(const Args& args, const char* usage, const char* summary) {
    Options options(usage, summary);
    options.argument("RUN", run, true)
        .add("key", key, "a client's key file, where the store wants one");
    if (!options.parse(args)) return false;
    if (run.empty()) run = only_run();
    return true;
  }
  // RUN is a folder, a database, or an address.
  std::filesystem::path database() const {
    if (run.find("://") != run.npos) return {};
    if (!std::filesystem::exists(run))
      throw Error(run +
                  ": there is no such run; a run's folder, a database or an address is wanted.");
    return std::filesystem::is_directory(run) ? std::filesystem::path(run) / "games.db"
                                              : std::filesystem::path(run);
  }
  RunStatus status() const {
    if (const auto file = database(); std::filesystem::exists(file)) {
      const std::optional<Owner> owner = owner_of(file);
      if (!owner || owner->address.empty()) {
        RunStatus status = status_at_rest(file);
        status.alone = owner.has_value();
        return status;
      }
    }
    StoreLink link;
    link.key = key;
    link.replay = database().empty() ? run : database().string();
    return RunWatch(link.address(), link.keys()).look(kPatienceMs);
  }
  double free_disk() const {
    if (database().empty()) return -1;
    std::error_code failed;
    const auto space = std::filesystem::space(database().parent_path(), failed);
    return failed ? -1 : double(space.available);
  }
};

}  // namespace

int status_command(const Args& args) {
  RunOptions options;
  if (!options.parse(args, "tabula status [RUN]",
                     "Shows the state of a run: its folder, its database, or its store's address "
                     "(default: the one in runs, under way before others)."))
    return 0;
  const RunStatus status = options.status();
  const TrainView view{.game = status.game, .folder = options.run};
  for (const std::string& line : view.summary(status, diagnose(status, options.free_disk()), 100))
    std::cout << line << "\n";
  return 0;
}

int doctor_command(const Args& args) {
  RunOptions options;
  if (!options.parse(args, "tabula doctor [RUN]",
                     "Names the one thing that holds a run back, and what to do about it."))
    return 0;
  const Diagnosis diagnosis = diagnose(options.status(), options.free_disk());
  std::cout << (diagnosis.healthy ? "It runs. The limit is " : "There is a problem: ")
            << diagnosis.finding << ".\n";
  if (!diagnosis.remedy.empty()) std::cout << "What helps: " << diagnosis.remedy << ".\n";
  return diagnosis.healthy ? 0 : 1;
}

}  // namespace tabula
