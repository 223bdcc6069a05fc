#include <doctest/doctest.h>

#include <deque>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support.h"

using namespace tabula;

namespace {

int cell(const Rules& rules, std::string_view name) {
  return (rules.table().rows - (name[1] - '0')) * rules.table().cols + name[0] - 'a';
}

int at(const State& state, std::string_view name) { return state.piece(cell(state.rules(), name)); }

bool may_play(const State& state, std::string_view move) { return state.parse(move).has_value(); }

std::vector<int> board_of(const State& state) {
  std::vector<int> board;
  for (int i = 0; i < state.rules().cells(); ++i) board.push_back(state.piece(i));
  return board;
}

std::vector<float> owners(const State& state) {
  std::vector<float> owners(std::size_t(state.rules().cells()));
  state.encode_final(0, owners);
  return owners;
}

// The rules once more, slowly: a board of +1, -1 and 0, and all the boards before it.
class SlowGo {
 public:
  explicit SlowGo(int size) : size_(size), board_(std::size_t(size * size)) {}

  std::vector<Action> legal() const {
    std::vector<Action> moves;
    for (int cell = 0; cell < size_ * size_; ++cell)
      if (board_[cell] == 0 && !after(cell).empty() && !before_.contains(after(cell)))
        moves.push_back(cell);
    moves.push_back(size_ * size_);
    return moves;
  }
  int repeats() const {  // how many moves only superko forbids
    int repeats = 0;
    for (int cell = 0; cell < size_ * size_; ++cell)
      repeats += board_[cell] == 0 && before_.contains(after(cell));
    return repeats;
  }
  void apply(Action move) {
    before_.insert(board_);
    if (move < size_ * size_) board_ = after(move);
    mover_ = -mover_;
  }
  std::vector<float> owners() const {
    std::vector<float> owners;
    for (int cell = 0; cell < size_ * size_; ++cell) {
      if (board_[cell] != 0) {
        owners.push_back(float(board_[cell]));
        continue;
      }
      const auto [region, edge] = flood(board_, cell);
      bool black = false, white = false;
      for (int stone : edge) (board_[stone] > 0 ? black : white) = true;
      owners.push_back(float(black) - float(white));
    }
    return owners;
  }
  const std::vector<int>& board() const { return board_; }

 private:
  using Board = std::vector<int>;

  std::vector<int> neighbours(int cell) const {
    std::vector<int> cells;
    if (cell >= size_) cells.push_back(cell - size_);
    if (cell < size_ * size_ - size_) cells.push_back(cell + size_);
    if (cell % size_ > 0) cells.push_back(cell - 1);
    if (cell % size_ < size_ - 1) cells.push_back(cell + 1);
    return cells;
  }
  // The cells of the same content that connect to one, and the cells beside them.
  std::pair<std::set<int>, std::set<int>> flood(const Board& board, int cell) const {
    std::set<int> inside{cell}, edge;
    for (std::vector<int> todo{cell}; !todo.empty();) {
      const int next = todo.back();
      todo.pop_back();
      for (int beside : neighbours(next))
        if (board[beside] != board[cell])
          edge.insert(beside);
        else if (inside.insert(beside).second)
          todo.push_back(beside);
    }
    return {inside, edge};
  }
  void capture(Board& board, int cell) const {
    const auto [chain, edge] = flood(board, cell);
    for (int beside : edge)
      if (board[beside] == 0) return;
    for (int stone : chain) board[stone] = 0;
  }
  Board after(int cell) const {  // empty: that would be suicide
    Board board = board_;
    board[cell] = mover_;
    for (int beside : neighbours(cell))
      if (board[beside] == -mover_) capture(board, beside);
    capture(board, cell);
    return board[cell] == 0 ? Board() : board;
  }

  int size_, mover_ = 1;
  Board board_;
  std::set<Board> before_;
};

}  // namespace

// Every legal board grows from the empty one stone by stone, with passes in between. A line that
// superko cuts off led to a board that its own past has already visited.
TEST_CASE("play reaches exactly the legal boards: 57 of two by two, 12,675 of three by three") {
  for (auto [name, count] : {std::pair("go2", 57), std::pair("go3", 12675)}) {
    std::set<std::vector<int>> boards;
    std::set<std::pair<std::vector<int>, int>> seen;
    std::deque<State> todo{State(shipped(name))};
    for (; !todo.empty(); todo.pop_front()) {
      const State& state = todo.front();
      boards.insert(board_of(state));
      if (state.over()) continue;
      for (Action move : state.legal()) {
        State next = state;
        next.apply(move);
        if (seen.emplace(board_of(next), next.turn()).second) todo.push_back(next);
      }
    }
    CHECK(int(boards.size()) == count);
  }
}

TEST_CASE("go agrees with a slow second implementation on moves, boards and owners") {
  int cut = 0;  // games that reached max_plies: they are counted as they stand
  for (const char* name : {"go2", "go3", "go5", "go9"}) {
    const Rules& rules = shipped(name);
    CAPTURE(name);
    Rng rng(20);
    int repeats = 0;
    for (int game = 0; game < 20; ++game) {
      State state(rules);
      SlowGo slow(rules.table().rows);
      while (!state.over()) {
        const std::vector<Action> moves = state.legal();
        REQUIRE(moves == slow.legal());
        repeats += slow.repeats();
        // Half of the games pass only where nothing else is left: they fight on and meet superko.
        const std::size_t choices = moves.size() - (game % 2 && moves.size() > 1 ? 1 : 0);
        const Action move = moves[rng.below(std::uint32_t(choices))];
        state.apply(move);
        slow.apply(move);
        REQUIRE(board_of(state) == slow.board());
      }
      cut += state.ply() == rules.table().max_plies;
      float lead = -7;
      for (float owner : slow.owners()) lead += owner;
      CHECK(owners(state) == slow.owners());
      CHECK(state.result() == (lead > 0) - (lead < 0));
    }
    CHECK(repeats > 0);
  }
  CHECK(cut > 0);
}

TEST_CASE("a chain without liberties is taken off the board") {
  const Rules& rules = shipped("go5");
  CHECK(at(after(rules, "b1 a1"), "a1") == -1);
  CHECK(at(after(rules, "b1 a1 a2"), "a1") == 0);  // in the corner
  const State centre = after(rules, "c2 c3 b3 e5 d3 e4 c4");
  CHECK(at(centre, "c3") == 0);
  const State group = after(rules, "a2 a1 b2 b1 c1");
  CHECK(at(group, "a1") == 0);
  CHECK(at(group, "b1") == 0);
  CHECK(at(group, "c1") == 1);
}

TEST_CASE("a stone that captures may be placed where it has no liberty, suicide may not") {
  const Rules& rules = shipped("go5");
  const State caught = after(rules, "a3 a2 b2 b1 c1 pass a1");
  CHECK(at(caught, "a1") == 1);
  CHECK(at(caught, "a2") == 0);
  CHECK(at(caught, "b1") == 0);
  CHECK(!may_play(after(rules, "a2 pass b1"), "a1"));
  CHECK(may_play(after(rules, "a2 pass b1 pass"), "a1"));    // black fills his eye
  CHECK(!may_play(after(rules, "a2 b1 b2 pass c1"), "a1"));  // nor of two stones
  CHECK(may_play(after(rules, "a2 b1 b2 pass"), "a1"));
}

TEST_CASE("a ko may be retaken only after a move elsewhere") {
  const Rules& rules = shipped("go5");
  const std::string ko = "a2 c1 b1 c3 b3 d2 c2 b2";  // white took c2
  CHECK(at(after(rules, ko), "c2") == 0);
  CHECK(!may_play(after(rules, ko), "c2"));
  CHECK(may_play(after(rules, ko + " e5 e4"), "c2"));
  const State retaken = after(rules, ko + " e5 e4 c2");
  CHECK(at(retaken, "b2") == 0);
  CHECK(!may_play(retaken, "b2"));
}

TEST_CASE("superko forbids any earlier board, however long the cycle and whoever moved") {
  // Six plies back to a single stone on b1.
  CHECK(legal_text(after(shipped("go2"), "b1 a1 b2 a2 b1 b2")) == "pass");
  // The same with passes on the way.
  CHECK(legal_text(after(shipped("go2"), "b2 a1 pass b1 pass a2")) == "pass");
  // Three plies: two stones sent, one returned. The same board, but the other player to move.
  CHECK(legal_text(after(shipped("go3"), "b3 b1 c2 b2 c1 c3")) == "a3 a2 a1 c1 pass");
  // A move that captures nothing can repeat a board too.
  CHECK(!may_play(after(shipped("go3"), "b1 b3 a3 a1 b2 a2 a3"), "a1"));
  CHECK(may_play(after(shipped("go3"), "b1 b3 a3 pass b2"), "a1"));  // same board, other past
}

TEST_CASE("two passes in a row end the game, and komi gives white the empty board") {
  const Rules& rules = shipped("go5");
  CHECK(!after(rules, "pass a1 pass").over());
  const State state = after(rules, "a1 pass pass");
  CHECK(state.over());
  CHECK(state.result() == 1);  // all is black's
  CHECK(after(rules, "pass pass").result() == -1);
  CHECK(owners(after(rules, "pass pass")) == std::vector(25, 0.f));
}

TEST_CASE("the area counts stones and regions of one colour, and a lead of seven is a draw") {
  const Rules& rules = shipped("go5");
  const std::string walls = "c1 e1 c2 e2 c3 e3 c4 e4 c5 e5 pass";  // black owns 15, d is no one's
  CHECK(after(rules, walls + " pass").result() == 1);              // 15 - 5
  CHECK(after(rules, walls + " d1 pass d2 pass pass").result() == 1);          // 15 - 7
  CHECK(after(rules, walls + " d1 pass d2 pass d3 pass pass").result() == 0);  // 15 - 8
  CHECK(after(rules, walls + " d1 pass d2 pass d3 pass d4 pass pass").result() == -1);
  const float row_5[] = {1, 1, 1, 0, -1}, row_1[] = {1, 1, 1, -1, -1};
  const std::vector<float> owner = owners(after(rules, walls + " d1 pass d2 pass d3 pass pass"));
  for (int col = 0; col < 5; ++col) {
    CHECK(owner[std::size_t(col)] == row_5[col]);
    CHECK(owner[std::size_t(20 + col)] == row_1[col]);
  }
}

TEST_CASE("positions share a hash exactly if board, last move and forbidden points agree") {
  const Rules& rules = shipped("go5");
  const State ko = after(rules, "a2 c1 b1 c3 b3 d2 c2 b2");
  const State no_ko = after(rules, "a2 c1 b1 c3 b3 d2 pass b2");  // white took nothing
  CHECK(board_of(ko) == board_of(no_ko));
  CHECK(legal_text(ko) != legal_text(no_ko));
  CHECK(ko.hash() != no_ko.hash());
  CHECK(no_ko.hash() == after(rules, "b3 c3 b1 c1 a2 d2 pass b2").hash());
  CHECK(!(no_ko == after(rules, "b3 c3 b1 c1 a2 d2 pass b2")));  // their pasts differ
  CHECK(after(rules, "a1 pass").hash() != after(rules, "pass a1 pass").hash());
}

TEST_CASE("a network sees stones, atari, the last move, forbidden points, colour and a pass") {
  const Rules& rules = shipped("go5");
  const auto plane = [&](const State& state, int index) {
    std::vector<float> planes(std::size_t(rules.plane_floats()));
    state.encode(planes);
    std::string cells;
    for (int i = 0; i < 25; ++i)
      if (planes[std::size_t(index * 25 + i)] != 0) cells += " " + state.text(i);
    return cells;
  };
  const State ko = after(rules, "a2 c1 b1 c3 b3 d2 c2 b2");  // black moves
  CHECK(plane(ko, 0) == " b3 a2 b1");
  CHECK(plane(ko, 1) == " c3 b2 d2 c1");
  CHECK(plane(ko, 2) == " b2 b1");
  CHECK(plane(ko, 3) == " b2");
  CHECK(plane(ko, 4) == " c2");
  CHECK(plane(ko, 5).size() == 3 * 25);
  CHECK(plane(ko, 6).empty());
  const State passed = after(rules, "a2 c1 b1 pass e5");  // white moves; a1 would be suicide
  CHECK(plane(passed, 4) == " a1");
  CHECK(plane(passed, 5).empty());
  CHECK(plane(after(rules, "a2 pass"), 6).size() == 3 * 25);
  CHECK(plane(after(rules, "a2 pass"), 3).empty());
}
