#include "core/game/registry.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "tests/support.h"

using namespace tabula;
namespace fs = std::filesystem;

namespace {

const fs::path kPlugins = TABULA_BUILD "/tests/plugins";

std::string refusal(const std::string& name) {
  try {
    load_plugin(kPlugins / (name + ".so"));
  } catch (const Error& e) {
    return e.what();
  }
  return "(it loads)";
}

}  // namespace

TEST_CASE("a plugin that cannot be used is refused with a sentence that says what to do") {
  const std::pair<const char*, const char*> refusals[] = {
      {"text", "not a library that can be loaded"},
      {"missing", "there is no such file"},
      {"no_symbol", "end the game's file with TABULA_GAMES"},
      {"other_abi", "built for plugin ABI 7, but this Tabula has 1; rebuild it"},
      {"tiny_table", "its table says it is 8 bytes long"},
      {"twice", "names the game plain twice"},
      {"no_games", "holds no game"},
      {"zero_actions", "actions = 0, which must be from 1"},
      {"many_actions", "actions = 1000000000"},
      {"huge_state", "a state size in bytes = 1073741824"},
      {"no_planes", "planes = 0"},
      {"bad_name", "name must be 1 to 32 characters"},
      {"no_name", "name must be 1 to 32 characters"},
      {"no_encode", "lacks one of"},
      {"newer_features", "uses features of a newer Tabula"},
  };
  for (const auto& [name, part] : refusals) {
    const std::string said = refusal(name);
    CAPTURE(said);
    CHECK(said.find(part) != said.npos);
    CHECK(said.find(std::string(name) + ".so: ") != said.npos);
    CHECK(said.find('\n') == said.npos);
  }
}

TEST_CASE("a game in plain C, whose table knows nothing optional, loads and plays") {
  const RulesPtr rules = load_plugin(kPlugins / "plain.so").front();
  const State state = play_moves(*rules, "1 0 1");
  CHECK(state.over());
  CHECK(state.result() == 1);
  CHECK(state.board() == "(no board: the game has neither board() nor piece())\n");
}

TEST_CASE("a table of a newer header loads as long as it uses nothing new") {
  CHECK(load_plugin(kPlugins / "newer.so").front()->name() == "plain");
}

TEST_CASE("a plugin built against the first header loads and plays") {
  const RulesPtr rules = load_plugin(kPlugins / "frozen_v1.so").front();
  CHECK(rules->name() == "frozen");
  CHECK(rules->symmetries() == 2);
  Rng rng(1);
  State state(*rules);
  CHECK(std::abs(Playout(*rules).finish(state, rng)) <= 1);
  CHECK(state.board().find('X') != std::string::npos);
}

TEST_CASE("two plugins with one class name and different rules keep apart in one process") {
  const RulesPtr two = load_plugin(kPlugins / "take_two.so").front();
  const RulesPtr three = load_plugin(kPlugins / "take_three.so").front();
  CHECK(State(*two).legal() == std::vector<Action>{0, 1});
  CHECK(State(*three).legal() == std::vector<Action>{0, 1, 2});
  CHECK(two->fingerprints().rules != three->fingerprints().rules);
}

TEST_CASE("games are found by name in folders, by path, and by path and name") {
  Registry registry({kPlugins, installed_plugins()});
  CHECK(registry.find("take_two")->name() == "take_two");
  CHECK(registry.find("connect4")->name() == "connect4");
  CHECK(registry.find((kPlugins / "plain.so").string())->name() == "plain");
  CHECK(registry.find((installed_plugins() / "go.so").string() + ":go9")->name() == "go9");
  CHECK_THROWS_WITH_AS(registry.find((installed_plugins() / "go.so").string()),
                       doctest::Contains("it holds several games; add :NAME"), Error);
  CHECK_THROWS_WITH_AS(registry.find("conect4"), doctest::Contains("Did you mean connect4?"),
                       Error);
}

TEST_CASE("two plugins that name one game are told apart by path only") {
  Registry registry({kPlugins});
  CHECK_THROWS_WITH_AS(registry.find("plain"), doctest::Contains("both name the game plain"),
                       Error);
}

TEST_CASE("a broken plugin in a folder does not hide the others") {
  Registry registry({kPlugins});
  CHECK(registry.list().refusals.size() >= 10);
  CHECK(registry.find("take_three")->name() == "take_three");
}

TEST_CASE("go13 would be listed after go9, as people count") {
  Registry registry({installed_plugins()});
  const auto& games = registry.list().games;
  const auto at = [&](const std::string& name) {
    return std::ranges::find(games, name, &Rules::name) - games.begin();
  };
  CHECK(at("hex7") < at("hex11"));
  CHECK(at("go9") < at("gomoku15"));
}
