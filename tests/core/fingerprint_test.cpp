#include "core/game/fingerprint.h"

#include <doctest/doctest.h>

#include <set>

#include "tests/run.h"
#include "tests/scratch.h"
#include "tests/support.h"

using namespace tabula;

namespace {

Fingerprints of(const std::string& plugin) {
  return load_plugin(TABULA_BUILD "/tests/" + plugin + ".so").front()->fingerprints();
}

}  // namespace

TEST_CASE("no two shipped games share a fingerprint") {
  std::set<std::uint64_t> rules, encodings;
  Registry registry({installed_plugins()});
  for (const RulesPtr& game : registry.list().games) {
    rules.insert(game->fingerprints().rules);
    encodings.insert(game->fingerprints().encoding);
  }
  CHECK(rules.size() == registry.list().games.size());
  CHECK(encodings.size() == rules.size());
}

TEST_CASE("changed planes change the encoding and leave the rules alone") {
  const Fingerprints honest = of("wrong_games/honest"), other = of("wrong_games/symmetry_planes");
  CHECK(honest.rules == other.rules);
  CHECK(honest.encoding != other.encoding);
}

TEST_CASE("changed legal moves, results, odds and ends change the rules") {
  const std::uint64_t honest = of("wrong_games/honest").rules;
  CHECK(of("wrong_games/symmetry_moves").rules != honest);
  CHECK(of("wrong_games/symmetry_result").rules != honest);
  CHECK(of("wrong_games/dice").rules != of("wrong_games/odds_sum").rules);
}

TEST_CASE("a name is no part of the rules") {
  CHECK(of("plugins/plain").rules == of("plugins/newer").rules);
  CHECK(of("wrong_games/honest").rules == of("wrong_games/names_twice").rules);
}

TEST_CASE("fingerprints do not depend on when they are taken") {
  const Rules& rules = shipped("einstein");
  CHECK(play_fingerprints(rules) == play_fingerprints(rules));
  CHECK(play_fingerprints(rules) == rules.fingerprints());
}

TEST_CASE("another compiler's build of the same rules has the same fingerprints") {
  if (run("clang++ --version").status != 0) {
    MESSAGE("skipped: there is no clang++ here");
    return;
  }
  const Scratch scratch;
  for (const char* name : {"connect4", "einstein", "go", "pig"}) {
    const std::string out = scratch / name + ".so";
    const Ran built =
        run("clang++ -std=c++20 -O1 -march=x86-64-v2 -fPIC -shared "
            "-I" TABULA_SOURCE " " TABULA_SOURCE "/games/" +
            std::string(name) + "/" + name + ".cpp -o " + out);
    REQUIRE_MESSAGE(built.status == 0, built.output);
    for (const RulesPtr& theirs : load_plugin(out))
      CHECK(theirs->fingerprints() == shipped(theirs->name()).fingerprints());
  }
}
