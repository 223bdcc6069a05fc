// Many pairs of games at once, one batch of questions a round for each player.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/arena/match_game.h"
#include "core/arena/openings.h"
#include "core/search/rounds.h"

namespace tabula {

// An opening that two players play twice, with colours swapped and the same dice. The seed decides
// dice and draws; the number only names it.
struct PairTicket {
  std::uint32_t number = 0;
  std::size_t a = 0, b = 0;  // players; a moves first in the first game
  std::uint64_t seed = 0;
  MoveList opening{};
};

struct PairResult {
  std::uint32_t number = 0;
  std::size_t a = 0, b = 0;
  std::array<int, 2> results{};          // of both games, +1, 0, -1 for whoever moved first
  std::array<std::uint64_t, 2> moves{};  // hashes of all moves and dice

  int half_points() const { return 2 + results[0] - results[1]; }  // of a: 0 to 4
};

// The seed of a pair of a match.
std::uint64_t pair_seed(std::uint64_t match_seed, std::uint32_t number);

// What a pair comes to does not depend on its neighbours. No threads.
class PairGroup {
 public:
  // Asked whenever there is room; nothing means not now, and to be asked again next round.
  using Next = std::function<std::optional<PairTicket>()>;
  using Finished = std::function<void(const PairResult&)>;

  PairGroup(const Rules& rules, std::span<Player> players, int pairs, float temperature, Next next,
            Finished finished);

  bool round();    // false: nothing is under way
  void abandon();  // all pairs under way
  int under_way() const;

 private:
  struct Pair {
    PairTicket ticket;
    std::vector<MatchGame> games;  // two
    bool running = false;
  };
  void begin(Pair& pair, PairTicket ticket);
  void finish(Pair& pair);
  void ask(std::size_t player);

  std::span<Player> players_;
  float temperature_;
  Next next_;
  Finished finished_;
  std::vector<Pair> pairs_;
  std::vector<std::vector<MatchGame*>> thinking_;  // [player]
  Batch batch_;
};

}  // namespace tabula
