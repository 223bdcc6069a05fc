#include <algorithm>
#include <array>
#include <bit>

#include "core/game/bitboard.h"
#include "core/game/game.h"

namespace {
using namespace tabula;

// Go by area, with komi 7 on every size, positional superko and no suicide. Black is player 0.
template <int N>
struct Go : Game<Go<N>> {
  using Points = Bitboard<N, N>;
  static constexpr int kPoints = N * N, kPass = kPoints, kKomi = 7;
  static constexpr char name[] = {'g', 'o', '0' + N, 0};
  static constexpr int actions = kPoints + 1, planes = 7, rows = N, cols = N;
  static constexpr int max_plies = std::max(3 * kPoints, 64);  // then the board counts as it is
  static constexpr int action_planes = 1, final_planes = 1;
  static constexpr auto symmetry = Symmetry::square;
  static constexpr int kFilterBits = 8 * int(std::bit_ceil(unsigned(max_plies)));

  Points stones[2];
  Points atari;      // the stones of either colour whose chain has one liberty
  Points fallen[2];  // where a stone of that colour was ever captured
  std::uint64_t board_hash = 0;
  std::uint64_t earlier[max_plies] = {};  // hashes of the boards before this one, then zeros
  Bitboard<1, kFilterBits> filter;        // has the filter_bit() of each: most boards are new
  std::int32_t boards = 0;                // how many are in `earlier`
  std::int32_t mover = 0;
  std::int32_t passes = 0;        // in a row
  std::int32_t last = no_action;  // the point of the last move; none after a pass

  // One random word for each colour and point.
  static constexpr auto kZobrist = [] {
    std::array<std::array<std::uint64_t, kPoints>, 2> words{};
    std::uint64_t seed = 0;
    for (auto& colour : words)
      for (std::uint64_t& word : colour) {  // splitmix64
        word = seed += 0x9e3779b97f4a7c15u;
        word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9u;
        word = (word ^ word >> 27) * 0x94d049bb133111ebu;
        word ^= word >> 31;
      }
    return words;
  }();

  static constexpr auto kBeside = [] {
    std::array<Points, kPoints> beside{};
    for (int point = 0; point < kPoints; ++point) beside[point] = Points::of(point).neighbours();
    return beside;
  }();

  // All of `within` that connects to `seeds`. requires: seeds are within
  static Points flood(Points seeds, Points within) {
    for (Points grown; seeds.any(); seeds = grown) {
      grown = seeds | (seeds.neighbours() & within);
      if (grown == seeds) break;
    }
    return seeds;
  }
  // The chain of the stone at a point if it has one liberty, else nothing.
  static Points chain_in_atari(int point, Points colour, Points empty) {
    Points chain = Points::of(point);
    for (Points grown;; chain = grown) {
      const Points around = chain.neighbours();
      if ((around & empty).count() > 1) return {};
      grown = chain | (around & colour);
      if (grown == chain) return chain;
    }
  }
  Points empty() const { return ~(stones[0] | stones[1]); }

  // A chain in atari beside an empty point has its one liberty there.
  Points captured_by(int point) const {
    const Points prey = stones[mover ^ 1] & atari;
    return flood(kBeside[point] & prey, prey);
  }
  std::uint64_t hash_after(int point, Points captured) const {
    std::uint64_t hash = board_hash ^ kZobrist[mover][point];
    captured.each([&](int prey) { hash ^= kZobrist[mover ^ 1][prey]; });
    return hash;
  }
  static int filter_bit(std::uint64_t hash) { return int(hash % kFilterBits); }
  bool repeats(std::uint64_t hash) const {
    return filter.test(filter_bit(hash)) &&
           std::find(earlier, earlier + boards, hash) != earlier + boards;
  }
  // Where the mover may play. A stone needs a free neighbour, an own chain beside it with another
  // liberty, or prey. It can bring back only a board that had a stone of its colour on its point;
  // the point is empty now, so that stone has fallen: all other points are safe from superko.
  Points allowed() const {
    const Points own = stones[mover], other = stones[mover ^ 1], free = empty();
    Points points = free & (free | (own & ~atari) | (other & atari)).neighbours();
    (points & fallen[mover]).each([&](int point) {
      if (repeats(hash_after(point, captured_by(point)))) points.clear(point);
    });
    return points;
  }
  void place(int point) {
    const Points captured = captured_by(point);
    earlier[boards++] = board_hash;
    filter.set(filter_bit(board_hash));
    board_hash = hash_after(point, captured);
    Points& own = stones[mover];
    Points& other = stones[mover ^ 1];
    own.set(point);
    other &= ~captured;
    fallen[mover ^ 1] |= captured;
    // Own chains that were joined or freed leave atari, unless the one now joined has it anew. The
    // opponent's beside the stone were not in atari, or they would be captured.
    const Points saved = captured.with(point).neighbours() & own & atari;
    atari &= ~captured & ~flood(saved, own & atari);
    atari |= chain_in_atari(point, own, empty());
    (kBeside[point] & other).each([&](int enemy) {
      atari |= chain_in_atari(enemy, other, empty());
    });
  }
  // A player's stones, and the empty regions that touch no other's.
  Points area(int player) const {
    const auto reach = [&](int p) { return flood(stones[p].neighbours() & empty(), empty()); };
    return stones[player] | (reach(player) & ~reach(player ^ 1));
  }

  int turn() const { return passes == 2 ? over : mover; }
  void legal(Actions& out) const {
    allowed().each([&](int point) { out.add(point); });
    out.add(kPass);
  }
  void apply(Action action) {
    if (action == kPass) {
      ++passes;
      last = no_action;
    } else {
      place(action);
      passes = 0;
      last = action;
    }
    mover ^= 1;
  }
  int result() const {
    const int lead = area(0).count() - area(1).count() - kKomi;
    return (lead > 0) - (lead < 0);
  }
  int result_at_limit() const { return result(); }
  void encode(Planes out) const {
    out.set(0, stones[mover]);
    out.set(1, stones[mover ^ 1]);
    out.set(2, atari);
    out.set(3, last == no_action ? Points() : Points::of(last));
    out.set(4, empty() & ~allowed());
    out.fill(5, float(mover == 0));
    out.fill(6, float(passes > 0));
  }
  void encode_final(int player, Planes out) const {
    const Points own = area(player), other = area(player ^ 1);
    for (int point = 0; point < kPoints; ++point)
      out(0, point) = float(own.test(point) - other.test(point));
  }
  struct Key {
    Points stones[2], allowed;
    std::int32_t mover, passes, last, zero;
  };
  Key key() const { return {{stones[0], stones[1]}, allowed(), mover, passes, last, 0}; }

  std::string text(Action action) const { return action == kPass ? "pass" : Go::cell_text(action); }
  int piece(int point) const { return stones[0].test(point) - stones[1].test(point); }
};

}  // namespace

TABULA_GAMES(Go<2>, Go<3>, Go<4>, Go<5>, Go<6>, Go<7>, Go<9>)
