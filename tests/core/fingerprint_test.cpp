#include "core/game/fingerprint.h"

#include <doctest/doctest.h>

#include <set>

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
