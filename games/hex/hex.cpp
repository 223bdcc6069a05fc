#include "core/game/bitboard.h"
#include "core/game/game.h"

namespace {
using namespace tabula;

// Player 0 links top and bottom, player 1 left and right; there is no swap. A cell touches those
// beside it, above and above to the right, below and below to the left.
//
// Player 1 sees the board with rows and columns swapped, and its actions go by what it sees: so the
// mover always links top and bottom.
template <int N>
struct Hex : Game<Hex<N>> {
  static constexpr auto name = N == 7 ? "hex7" : "hex11";
  static constexpr int rows = N, cols = N, actions = N * N, max_plies = actions, planes = 2;
  static constexpr int action_planes = 1;
  static constexpr auto symmetry = Symmetry::rotation;

  using Board = Bitboard<N, N>;
  struct View {
    Board own, theirs;
    Board hung;  // those of `own` that are linked to the top
  };
  View views[2];  // the board as each player sees it

  static constexpr Board beside(Board cells) {
    return cells.neighbours() | cells.template shifted<-1, 1>() | cells.template shifted<1, -1>();
  }
  static constexpr int swapped(int cell) { return cell % N * N + cell / N; }
  // An action of `player` as a cell of the board, which is as player 0 sees it.
  static constexpr int cell_of(Action a, int player) { return player == 0 ? a : swapped(a); }
  int mover() const { return (views[0].own.count() + views[0].theirs.count()) & 1; }
  bool linked(int player) const { return (views[player].hung & Board::row(N - 1)).any(); }

  int turn() const {
    const int player = mover();
    return linked(player ^ 1) ? over : player;
  }
  void legal(Actions& out) const {
    const View& view = views[mover()];
    (~(view.own | view.theirs)).each([&](int cell) { out.add(cell); });
  }
  void apply(Action a) {
    const int player = mover();
    View& view = views[player];
    view.own.set(a);
    views[player ^ 1].theirs.set(swapped(a));
    // Whatever the stone links to the top hangs there from now on.
    Board joins = Board::of(a) & (Board::row(0) | beside(view.hung));
    for (; joins.any(); joins = beside(joins) & view.own & ~view.hung) view.hung |= joins;
  }
  int result() const { return linked(0) ? 1 : -1; }  // one of the two is, on a full board
  void encode(Planes out) const {
    const View& view = views[mover()];
    out.set(0, view.own);
    out.set(1, view.theirs);
  }

  std::string text(Action a) const { return Hex::cell_text(cell_of(a, mover())); }
  int piece(int cell) const { return views[0].own.test(cell) - views[0].theirs.test(cell); }
  void touched(Action a, Cells& out) const { out.add(cell_of(a, mover())); }
  std::string board() const {
    std::string lines;
    for (int row = 0; row < N; ++row) {
      lines += std::string(std::size_t(row + (N - row < 10)), ' ') + std::to_string(N - row);
      for (int col = 0; col < N; ++col) lines += std::string(" ") + "O.X"[piece(row * N + col) + 1];
      lines += "\n";
    }
    lines += std::string(N + 2, ' ');
    for (int col = 0; col < N; ++col) lines += std::string(" ") + char('a' + col);
    return lines + "\n";
  }
};

}  // namespace

TABULA_GAMES(Hex<7>, Hex<11>)
