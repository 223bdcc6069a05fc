#include "core/game/bitboard.h"
#include "core/game/game.h"

namespace {
using namespace tabula;

// Reversi from the crossed start. Black is player 0; who cannot turn a disc over has to pass.
template <int N>
struct Othello : Game<Othello<N>> {
  static constexpr auto name = N == 6 ? "othello6" : "othello8";
  static constexpr int rows = N, cols = N, planes = 3, actions = N * N + 1;
  static constexpr Action pass = N * N;
  // N*N - 4 discs are placed, and right before each there is at most one pass: whoever passes
  // leaves a move to the other, or the game would be over.
  static constexpr int max_plies = 2 * (N * N - 4);
  static constexpr int action_planes = 1, final_planes = 1;
  static constexpr auto symmetry = Symmetry::diagonals;

  using Board = Bitboard<N, N>;
  static constexpr int centre = N / 2 * (N + 1);  // of the four middle cells, the lower right one

  Board discs[2] = {Board::of(centre - N - 1).with(centre), Board::of(centre - N).with(centre - 1)};
  Board moves = moves_of(discs[0], discs[1]);  // the mover's; none: a pass
  std::int64_t to_move = 0;                    // what turn() says

  template <int Down, int Right>
  struct Step {
    constexpr Board operator()(Board from) const { return from.template shifted<Down, Right>(); }
  };
  // The union of what `along` finds in each of the eight directions.
  template <class F>
  static constexpr Board around(F along) {
    return along(Step<-1, -1>()) | along(Step<-1, 0>()) | along(Step<-1, 1>()) |
           along(Step<0, -1>()) | along(Step<0, 1>()) |  //
           along(Step<1, -1>()) | along(Step<1, 0>()) | along(Step<1, 1>());
  }
  // The unbroken runs of `through` that begin beside `from`; one between two discs has N - 2 cells.
  static constexpr Board runs(Board from, Board through, auto step) {
    Board run = step(from) & through;
    for (int i = 0; i < N - 3; ++i) run |= step(run) & through;
    return run;
  }
  static constexpr Board moves_of(Board own, Board theirs) {
    return around([=](auto step) { return step(runs(own, theirs, step)); }) & ~(own | theirs);
  }
  static constexpr Board turned_by(Board disc, Board own, Board theirs) {
    return around([=](auto step) {
      const Board run = runs(disc, theirs, step);
      return (step(run) & own).any() ? run : Board();
    });
  }

  int turn() const { return int(to_move); }
  void legal(Actions& out) const {
    moves.each([&](int cell) { out.add(cell); });
    if (!moves.any()) out.add(pass);
  }
  void apply(Action a) {
    Board &own = discs[to_move], &theirs = discs[to_move ^ 1];
    if (a != pass) {
      const Board turned = turned_by(Board::of(a), own, theirs);
      own |= turned.with(a);
      theirs ^= turned;
    }
    moves = moves_of(theirs, own);
    to_move = moves.any() || moves_of(own, theirs).any() ? to_move ^ 1 : over;
  }
  int result() const {
    const int ahead = discs[0].count() - discs[1].count();
    return (ahead > 0) - (ahead < 0);
  }
  void encode(Planes out) const {
    out.set(0, discs[to_move]);
    out.set(1, discs[to_move ^ 1]);
    out.set(2, moves);
  }
  void encode_final(int player, Planes out) const {
    for (int cell = 0; cell < N * N; ++cell)
      out(0, cell) = float(player == 0 ? piece(cell) : -piece(cell));
  }

  std::string text(Action a) const { return a == pass ? "pass" : Othello::cell_text(a); }
  int piece(int cell) const { return discs[0].test(cell) - discs[1].test(cell); }
};

}  // namespace

TABULA_GAMES(Othello<6>, Othello<8>)
