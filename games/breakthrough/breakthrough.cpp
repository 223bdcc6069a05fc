#include "core/game/bitboard.h"
#include "core/game/game.h"

namespace {
using namespace tabula;

// Two rows of pieces each, one step at a time, straight or slanting forward; only a slanting step
// captures. Who reaches the far row or captures everything wins.
//
// Nobody is ever stuck: a foremost piece has none of its own side ahead, so its slanting steps are
// open, and on any column there is at least one.
//
// Player 1 sees the board upside down, and its actions go by what it sees: so the mover always
// moves up.
struct Breakthrough : Game<Breakthrough> {
  static constexpr auto name = "breakthrough8";
  static constexpr int rows = 8, cols = 8, planes = 2;
  static constexpr int action_planes = 3, actions = 3 * 64;  // direction * 64 + from
  enum { left, straight, right };
  // Every move takes a piece one row on. Short of the far row that goes 6 times for each of the
  // eight behind and 5 times for each of the eight in front, for both sides; one more move wins.
  static constexpr int max_plies = 2 * (8 * 6 + 8 * 5) + 1;
  static constexpr auto symmetry = Symmetry::mirror;

  using Board = Bitboard<8, 8>;
  struct View {
    Board own = Board::row(6) | Board::row(7);
    Board theirs = Board::row(0) | Board::row(1);
  };
  View views[2];  // the board as each player sees it
  std::uint64_t mover = 0;

  static constexpr int flipped(int cell) { return cell ^ 56; }  // top to bottom
  static constexpr int from(Action a) { return a % 64; }
  static constexpr int to(Action a) { return a % 64 - 8 + (a / 64 - straight); }
  // A cell the mover sees as one of the board, which is as player 0 sees it.
  int absolute(int cell) const { return mover == 0 ? cell : flipped(cell); }

  int turn() const {
    const bool won = (views[mover ^ 1].own & Board::row(0)).any() || !views[mover].own.any();
    return won ? over : int(mover);
  }
  void legal(Actions& out) const {
    const View& view = views[mover];
    const Board open = ~view.own, empty = open & ~view.theirs;
    const auto add = [&](int direction, Board movable) {
      (movable & view.own).each([&](int cell) { out.add(direction * 64 + cell); });
    };
    add(left, open.shifted<1, 1>());
    add(straight, empty.shifted<1, 0>());
    add(right, open.shifted<1, -1>());
  }
  void apply(Action a) {
    View &view = views[mover], &other = views[mover ^ 1];
    view.own.clear(from(a));
    view.own.set(to(a));
    view.theirs.clear(to(a));
    other.theirs.clear(flipped(from(a)));
    other.theirs.set(flipped(to(a)));
    other.own.clear(flipped(to(a)));
    mover ^= 1;
  }
  int result() const { return mover == 1 ? 1 : -1; }  // the last move won
  void encode(Planes out) const {
    out.set(0, views[mover].own);
    out.set(1, views[mover].theirs);
  }

  static Action map_action(int index, Action a) {
    const int direction = index == 0 ? a / 64 : right - a / 64;
    return direction * 64 + map_cell(index, from(a));
  }
  std::string text(Action a) const {
    return cell_text(absolute(from(a))) + (views[mover].theirs.test(to(a)) ? "x" : "-") +
           cell_text(absolute(to(a)));
  }
  int piece(int cell) const { return views[0].own.test(cell) - views[0].theirs.test(cell); }
  void touched(Action a, Cells& out) const {
    out.add(absolute(from(a)));
    out.add(absolute(to(a)));
  }
};

}  // namespace

TABULA_GAMES(Breakthrough)
