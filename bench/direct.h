#pragma once
#include <cstdint>
#include <span>

namespace tabula {

// What a batch of random games came to: equal on both sides of the plugin boundary, or the
// comparison means nothing.
struct PlayedGames {
  long plies = 0, results = 0;
  bool operator==(const PlayedGames&) const = default;
};

// A shipped game's class, compiled into this program: playouts without a plugin boundary.
struct DirectGame {
  const char* name;
  PlayedGames (*play)(std::uint64_t seed, int games);
};

std::span<const DirectGame> direct_games();

}  // namespace tabula
