#include "core/game/fingerprint.h"

#include <cmath>

#include "core/base/hash.h"
#include "core/game/playout.h"

namespace tabula {
namespace {

// Enough that a changed rule shows, little enough that loading stays quick. The encoding is looked
// at less often, since its mistakes show at once.
constexpr int kPlies = 8000, kGames = 400, kEncodedPlies = 500;

// Floats are rounded before hashing, so that another compiler's last bit does not matter.
std::uint64_t rounded(float x) { return std::uint64_t(std::llround(double(x) * 4096)); }

void add_position(Hash& hash, const State& state, std::span<const Action> legal) {
  hash.add(std::uint64_t(state.turn())).add(legal.size());
  for (Action a : legal) hash.add(std::uint64_t(a));
  if (!state.at_chance()) return;
  std::vector<float> odds(legal.size());
  state.odds(legal, odds);
  for (float p : odds) hash.add(rounded(p));
}

void add_planes(Hash& hash, const State& state, std::vector<float>& planes) {
  state.encode(planes);
  for (float x : planes) hash.add(rounded(x));
}

}  // namespace

Fingerprints play_fingerprints(const Rules& rules) {
  const tabula_game& t = rules.table();
  Hash played, encoded;
  for (int n : {t.actions, t.outcomes, t.max_plies}) played.add(std::uint64_t(n));
  for (int n : {t.planes, t.rows, t.cols, t.symmetry, t.action_planes, t.final_planes})
    encoded.add(std::uint64_t(n));
  for (int s = 0; s < rules.symmetries(); ++s)
    for (Action a = 0; a < t.actions; ++a) encoded.add(std::uint64_t(rules.map_action(s, a)));

  Rng rng(0x7ab01a);
  Playout playout(rules);
  std::vector<float> planes(std::size_t(rules.plane_floats()));
  for (int plies = 0, games = 0; plies < kPlies && games < kGames; ++games) {
    State state(rules);
    for (; !state.over(); ++plies) {
      add_position(played, state, playout.legal(state));
      if (plies < kEncodedPlies && !state.at_chance()) add_planes(encoded, state, planes);
      state.apply(playout.draw(state, rng));
    }
    played.add(std::uint64_t(state.result()));
  }
  return {played.value(), encoded.value()};
}

}  // namespace tabula
