#include "core/truth/sample.h"

#include <set>
#include <string>

#include "core/game/playout.h"
#include "core/truth/position_key.h"

namespace tabula {
namespace {

constexpr int kVainGames = 20000;  // in a row, after which there is nothing new to be expected

// The positions of a random game in which a player may be asked.
std::vector<Sample> asked_in(const Rules& rules, Playout& playout, Rng& rng, int first_ply) {
  std::vector<Sample> asked;
  Sample now{State(rules), {}};
  while (!now.state.over()) {
    if (!now.state.at_chance() && now.state.ply() >= first_ply) asked.push_back(now);
    now.moves.push_back(playout.draw(now.state, rng));
    now.state.apply(now.moves.back());
  }
  return asked;
}

}  // namespace

std::vector<Sample> sample_positions(const Rules& rules, std::size_t count, std::uint64_t seed,
                                     int first_ply) {
  std::vector<Sample> samples;
  std::set<std::string> seen;
  Playout playout(rules);
  Rng rng(seed);
  for (int vain = 0; samples.size() < count; ++vain) {
    if (vain == kVainGames) {
      if (!samples.empty()) break;
      throw Error("random games of '" + rules.name() + "' came to no position after ply " +
                  std::to_string(first_ply) + ".");
    }
    const std::vector<Sample> asked = asked_in(rules, playout, rng, first_ply);
    if (asked.empty()) continue;
    const Sample& one = asked[rng.below(std::uint32_t(asked.size()))];
    if (!seen.insert(position_key(one.state)).second) continue;
    samples.push_back(one);
    vain = 0;
  }
  return samples;
}

}  // namespace tabula
