#include <dlfcn.h>

#include <set>

#include "core/game/registry.h"

namespace tabula {
namespace {

using GameAt = const tabula_game*(std::int32_t);
constexpr int kMaxGames = 1000;  // in one plugin; a sentinel that never comes must not hang us

GameAt* open_plugin(const std::filesystem::path& file) {
  std::error_code failed;
  const auto status = std::filesystem::status(file, failed);
  if (!std::filesystem::exists(status))
    throw Error(file.string() + ": there is no such file" +
                (failed ? " (" + failed.message() + ")" : "") +
                "; give the path of a plugin (.so).");
  if (!std::filesystem::is_regular_file(status))
    throw Error(file.string() + ": not a file; give the path of a plugin (.so).");
  // With a slash in it, so that the loader does not go looking elsewhere.
  const std::string path = file.has_parent_path() ? file.string() : "./" + file.string();
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    throw Error(file.string() + ": not a library that can be loaded (" + dlerror() +
                "); build it with tabula_add_game() for this machine.");
  void* symbol = dlsym(library, "tabula_game_at");
  if (!symbol)
    throw Error(file.string() +
                ": a library, but no plugin: it does not export tabula_game_at; end the game's "
                "file with TABULA_GAMES(YourGame).");
  return reinterpret_cast<GameAt*>(symbol);
}

}  // namespace

std::vector<RulesPtr> load_plugin(const std::filesystem::path& file) {
  GameAt* const game_at = open_plugin(file);
  std::vector<RulesPtr> games;
  std::set<std::string> names;
  for (int i = 0; const tabula_game* table = i < kMaxGames ? game_at(i) : nullptr; ++i) {
    games.push_back(std::make_shared<Rules>(table, file));
    if (!names.insert(games.back()->name()).second)
      throw Error(file.string() + ": it names the game " + games.back()->name() +
                  " twice; every game in TABULA_GAMES needs a name of its own.");
  }
  if (games.empty())
    throw Error(file.string() + ": the plugin holds no game; name one in TABULA_GAMES.");
  return games;
}

}  // namespace tabula
