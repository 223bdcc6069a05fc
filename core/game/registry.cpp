#include "core/game/registry.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

#include "core/base/nearest.h"

namespace tabula {
namespace fs = std::filesystem;
namespace {

// Splits "go9" into ("go", 9), so that go13 comes after go9.
std::tuple<std::string, long, std::string> natural_order(const RulesPtr& rules) {
  const std::string& name = rules->name();
  const std::size_t digits = name.find_first_of("0123456789");
  const long number = digits == name.npos ? 0 : std::strtol(name.c_str() + digits, nullptr, 10);
  return {name.substr(0, digits), number, rules->origin().string()};
}

// Plugins in the folder, in a fixed order, links resolved where they lead somewhere.
std::vector<fs::path> plugins_in(const fs::path& folder, std::error_code& failed) {
  std::vector<fs::path> files;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    if (entry->path().extension() != ".so") continue;
    std::error_code dangling;
    const fs::path file = fs::canonical(entry->path(), dangling);
    files.push_back(dangling ? entry->path() : file);
  }
  std::ranges::sort(files);
  return files;
}

std::string names_of(std::span<const RulesPtr> games) {
  std::string names;
  for (const RulesPtr& game : games) names += (names.empty() ? "" : ", ") + game->name();
  return names;
}

}  // namespace

fs::path installed_plugins() {
  return fs::canonical("/proc/self/exe").parent_path().parent_path() / "lib/tabula/games";
}

Registry::Registry(std::vector<fs::path> folders) : folders_(std::move(folders)) {}

Registry Registry::standard(std::vector<fs::path> extra) {
  for (const fs::path& folder : extra)
    if (std::error_code ignored; !fs::is_directory(folder, ignored))
      throw Error(folder.string() + ": there is no such folder to look for plugins in.");
  const char* variable = std::getenv("TABULA_PLUGINS");
  std::istringstream folders(variable ? variable : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (!folder.empty()) extra.emplace_back(folder);
  extra.push_back(installed_plugins());
  return Registry(std::move(extra));
}

const Registry::Listing& Registry::list() {
  if (std::exchange(listed_, true)) return listing_;
  std::set<fs::path> seen;
  for (const fs::path& folder : folders_) {
    std::error_code failed;
    const std::vector<fs::path> files = plugins_in(folder, failed);
    if (failed)
      listing_.refusals.push_back(folder.string() +
                                  ": cannot look for plugins there: " + failed.message() + ".");
    for (const fs::path& file : files) {
      if (!seen.insert(file).second) continue;
      try {
        std::ranges::move(load_plugin(file), std::back_inserter(listing_.games));
      } catch (const Error& refusal) {
        listing_.refusals.emplace_back(refusal.what());
      }
    }
  }
  std::ranges::sort(listing_.games, {}, natural_order);
  return listing_;
}

RulesPtr Registry::find_in_plugin(std::string_view path, std::string_view name) const {
  const std::vector<RulesPtr> games = load_plugin(path);
  if (name.empty() && games.size() == 1) return games.front();
  const auto found = std::ranges::find(games, name, &Rules::name);
  if (found != games.end()) return *found;
  throw Error(std::string(path) + (name.empty() ? ": it holds several games" : ": no such game") +
              "; add :NAME to the path, one of " + names_of(games) + ".");
}

RulesPtr Registry::find(std::string_view game) {
  const std::size_t so = game.rfind(".so:");
  if (so != game.npos) return find_in_plugin(game.substr(0, so + 3), game.substr(so + 4));
  if (game.ends_with(".so") || game.find('/') != game.npos) return find_in_plugin(game, "");

  std::vector<RulesPtr> found;
  std::ranges::copy_if(list().games, std::back_inserter(found),
                       [&](const RulesPtr& rules) { return rules->name() == game; });
  if (found.size() == 1) return found.front();
  if (found.size() > 1)
    throw Error(found[0]->origin().string() + " and " + found[1]->origin().string() +
                " both name the game " + found[0]->name() + "; give the path of the one you mean.");
  std::vector<std::string> names;
  for (const RulesPtr& rules : listing_.games) names.push_back(rules->name());
  std::string why = "there is no game called '" + std::string(game) + "'." +
                    did_you_mean(game, names) + " 'tabula games' lists what there is.";
  for (const std::string& refusal : listing_.refusals) why += "\nnot used: " + refusal;
  throw Error(why);
}

}  // namespace tabula
