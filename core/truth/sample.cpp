#include "core/truth/sample.h"

#include <set>
#include <string>

#include "core/game/playout.h"
#include "core/truth/position_key.h"

namespace tabula {
namespace {

constexpr int kVainGames = 20000;  // in a row, after which there is nothing new to be expected

// The positions of a random game in which a player may be asked.
std::vector<State> asked_in(const Rules& rules, Playout& playout, Rng& rng, int first_ply) {
  std::vector<State> asked;
  for (State state(rules); !state.over(); state.apply(playout.draw(state, rng)))
    if (!state.at_chance() && state.ply() >= first_ply) asked.push_back(state);
  return asked;
}

}  // namespace

std::vector<State> sample_positions(const Rules& rules, std::size_t count, std::uint64_t seed,
                                    int first_ply) {
  std::vector<State> positions;
  std::set<std::string> seen;
  Playout playout(rules);
  Rng rng(seed);
  for (int vain = 0; positions.size() < count; ++vain) {
    if (vain == kVainGames)
      throw Error("random games of '" + rules.name() + "' came to only " +
                  std::to_string(positions.size()) + " different positions, not " +
                  std::to_string(count) + ".");
    const std::vector<State> asked = asked_in(rules, playout, rng, first_ply);
    if (asked.empty()) continue;
    const State& one = asked[rng.below(std::uint32_t(asked.size()))];
    if (!seen.insert(position_key(one)).second) continue;
    positions.push_back(one);
    vain = 0;
  }
  return positions;
}

}  // namespace tabula
