#include "front/train_summary.h"

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "core/store/model_files.h"
#include "front/eval/pig.h"
#include "front/run/train_view.h"

namespace tabula {
namespace {

// As one types it: the script in the root says how it was called.
std::string tabula_command() {
  const char* command = std::getenv("TABULA_COMMAND");
  return command ? command : "tabula";
}

std::string arena_command() {
  namespace fs = std::filesystem;
  if (!std::getenv("TABULA_COMMAND")) return "arena";
  return fs::proximate(fs::read_symlink("/proc/self/exe").parent_path() / "arena").string();
}

std::string plugins_of(const TrainOptions& options) {
  std::string text;
  for (const std::string& folder : options.plugins.folders) text += " --plugins " + folder;
  return text;
}

// Against the truth where it is found quickly, else against rollouts. requires: there is a model
std::string how_to_measure(const TrainOptions& options, const std::string& run,
                           const RunStatus& status) {
  const bool tested = !status.champion.empty();
  const std::string eval = tabula_command() + " eval " + options.game + " --run " + run +
                           " --model " + (tested ? "champion" : "latest");
  if (status.game == kPig) return eval + " --simulations 0";  // all its searches take minutes
  if (status.game == "connect4" || status.game == "tictactoe") return eval + " --solver 200";
  const std::string id = tested ? status.champion : status.models.back().id;
  return arena_command() + " tournament " + ModelFiles(run + "/games.db").path(id).string() +
         "@200 rollout:200 --game " + options.game;
}

}  // namespace

std::string train_summary(const TrainOptions& options, const std::string& run, double seconds,
                          const RunStatus& status) {
  std::ostringstream text;
  text << "\n"
       << clock_text(seconds) << ", " << grouped(double(status.totals.seen_games)) << " games, "
       << grouped(double(status.totals.seen_positions)) << " positions, " << status.models.size()
       << (status.models.size() == 1 ? " model" : " models");
  if (const std::string rated = rating_text(status); !rated.empty()) text << "; " << rated;
  text << ".\nTo go on:       " << tabula_command() << " train" << options.typed;
  if (!status.models.empty())
    text << "\nTo play it:     " << tabula_command() << " play " << options.game
         << (status.champion.empty() ? " --model latest" : "")
         << (options.run.empty() ? "" : " --run " + options.run) << plugins_of(options)
         << "\nTo measure it:  " << how_to_measure(options, run, status) << plugins_of(options);
  text << "\n";
  return text.str();
}

}  // namespace tabula
