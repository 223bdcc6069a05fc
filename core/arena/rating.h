// Elo of players who met in any constellation, by maximum likelihood.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace tabula {

struct RatedGame {
  std::size_t first = 0, second = 0;  // players; `first` moved first
  int result = 0;                     // +1, 0, -1 for `first`
  std::uint64_t moves = 0;            // a hash of all moves and dice, to tell games apart
};

struct Rating {
  double elo = 0, low = 0, high = 0;  // against the mean of all players; low, high: 95 %
  double points = 0;                  // a win is 1, a draw 1/2
  std::uint32_t games = 0;
  std::uint32_t distinct = 0;  // games of this player that differ in opponent, colour or a move
};

// A draw counts as half a win. One drawn game of each player against an imagined one at the mean is
// added, so that clean sweeps and players who never met stay finite.
std::vector<Rating> rate(std::size_t players, std::span<const RatedGame> games);

// How many games differ in a player, a colour or a move.
std::uint32_t distinct_games(std::span<const RatedGame> games);

}  // namespace tabula
