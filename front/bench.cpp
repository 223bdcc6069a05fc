#include "bench/games.h"
#include "front/commands.h"
#include "front/plugins.h"

namespace tabula {

int bench_command(const Args& args) {
  std::string what, only;
  GamesBench games;
  Options options(
      "tabula bench games [--json]",
      "Measures speed on this machine. 'games' plays random games of every shipped game "
      "through the\nplugin boundary and by direct calls, in turn, and prints the ratio.");
  options.argument("WHAT", what);
  options.add("game", only, "this game only");
  options.add("repeats", games.repeats, "alternations of the two sides");
  options.add("milliseconds", games.milliseconds, "for each side of an alternation");
  options.flag("json", games.json, "print JSON");
  if (!options.parse(args)) return 0;
  if (what != "games") throw Error("'" + what + "' cannot be measured; say 'tabula bench games'.");
  if (games.repeats < 1 || games.milliseconds < 1)
    throw Error("--repeats and --milliseconds must be at least 1.");

  Registry registry({installed_plugins()});
  bench_games(only.empty() ? registry.list().games : std::vector{registry.find(only)}, games);
  return 0;
}

}  // namespace tabula
