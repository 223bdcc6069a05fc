#include "bench/direct.h"

#include <algorithm>
#include <vector>

#include "core/base/rng.h"
#include "core/game/game.h"

namespace tabula {
namespace {

std::vector<DirectGame>& registered() {
  static std::vector<DirectGame> games;
  return games;
}

template <class G>
int result_of(const G& position, int turn) {
  if (turn == over) return position.result();
  if constexpr (Members<G>::result_at_limit) return position.result_at_limit();
  return 0;
}

// The loop of Playout::finish, on the class itself.
template <class G>
PlayedGames play(std::uint64_t seed, int games) {
  Rng rng(seed);
  PlayedGames played;
  Action room[std::size_t(std::max(G::actions, G::outcomes))];
  while (games-- > 0) {
    G position{};
    int turn = position.turn(), ply = 0;
    while (turn != over && ply < G::max_plies) {
      Actions moves(room, int(std::size(room)));
      position.legal(moves);
      position.apply(draw_move(position, turn, room, moves.size(), rng));
      turn = position.turn();
      ++ply;
    }
    played.plies += ply;
    played.results += result_of(position, turn);
  }
  return played;
}

template <class... Games>
struct Register {
  Register() { (registered().push_back({Games::name, play<Games>}), ...); }
};

}  // namespace

std::span<const DirectGame> direct_games() { return registered(); }

}  // namespace tabula

#undef TABULA_GAMES
#define TABULA_JOIN(a, b) a##b
#define TABULA_LINE_NAME(a, b) TABULA_JOIN(a, b)
#define TABULA_GAMES(...) \
  static const tabula::Register<__VA_ARGS__> TABULA_LINE_NAME(game_, __COUNTER__);

#include "bench/all_games.inc"
