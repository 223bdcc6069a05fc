#include "core/arena/openings.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "core/base/hash.h"
#include "core/game/playout.h"

namespace tabula {
namespace {

constexpr int kDrawsOfOne = 100;   // until an opening counts as the last one found
constexpr int kDrawsOfAMove = 8;   // until one is found that does not end the game
constexpr int kMostAutomatic = 8;  // plies

class OpeningDraw {
 public:
  OpeningDraw(const Rules& rules, int plies)
      : playout_(rules), start_(rules), state_(rules), before_(rules), plies_(plies) {}

  // Nothing if it ran into the end of the game.
  std::optional<MoveList> draw(Rng& rng) {
    state_ = start_;
    MoveList moves;
    while (int(moves.size()) < plies_)
      if (!play(moves, rng)) return {};
    return moves;
  }
  std::uint64_t hash() const { return state_.hash(); }

 private:
  bool play(MoveList& moves, Rng& rng) {
    before_ = state_;
    for (int tries = 0; tries < kDrawsOfAMove; ++tries) {
      const Action action = playout_.draw(state_, rng);
      state_.apply(action);
      if (!state_.over()) {
        moves.push_back(action);
        return true;
      }
      state_ = before_;
    }
    return false;
  }

  Playout playout_;
  State start_, state_, before_;
  int plies_;
};

}  // namespace

std::vector<MoveList> draw_openings(const Rules& rules, std::uint64_t seed, int plies,
                                    std::size_t most) {
  OpeningDraw opening(rules, plies);
  Rng rng(Hash().add(seed).add_text("openings").value());
  std::unordered_set<std::uint64_t> seen;
  std::vector<MoveList> drawn;
  for (int tries = 0; drawn.size() < most && tries < kDrawsOfOne; ++tries) {
    std::optional<MoveList> moves = opening.draw(rng);
    if (!moves || (!seen.insert(opening.hash()).second && !rules.has_chance())) continue;
    drawn.push_back(std::move(*moves));
    tries = -1;
  }
  return drawn;
}

int plies_for_openings(const Rules& rules, std::size_t wanted) {
  const int most = std::clamp(rules.table().max_plies / 4, 1, kMostAutomatic);
  int best = 0;  // the start itself: one opening that every game has
  std::size_t found = 0;
  for (int plies = rules.has_chance() ? std::min(2, most) : 1; plies <= most && found < wanted;
       ++plies) {
    const std::size_t count = draw_openings(rules, 0, plies, wanted).size();
    if (count > found) best = plies;
    found = std::max(found, count);
  }
  return best;
}

}  // namespace tabula
