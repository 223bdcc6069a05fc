#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <utility>

#include "games/connect4/solver/solver.h"

using namespace tabula::connect4;

namespace {

// Connect Four once more, written to be plainly right: an array, and every line looked at.
struct Grid {
  int owner[kColumns][kRows] = {};  // 0 empty, else 1 or -1
  int height[kColumns] = {};
  int stones = 0;

  int mover() const { return stones % 2 ? -1 : 1; }
  int at(int column, int row) const {
    const bool inside = column >= 0 && column < kColumns && row >= 0 && row < kRows;
    return inside ? owner[column][row] : 0;
  }
  int run(int column, int row, int dx, int dy) const {
    int length = 0;
    for (int i = 1; at(column + i * dx, row + i * dy) == owner[column][row]; ++i) ++length;
    return length;
  }
  bool in_four(int column) const {
    const int row = height[column] - 1;
    for (auto [dx, dy] : {std::pair{0, 1}, {1, 0}, {1, 1}, {1, -1}})
      if (run(column, row, dx, dy) + run(column, row, -dx, -dy) >= 3) return true;
    return false;
  }
  bool full(int column) const { return height[column] == kRows; }
  void drop(int column) { owner[column][height[column]++] = mover(), ++stones; }
  void lift(int column) { owner[column][--height[column]] = 0, --stones; }
};

int plain_score(Grid& grid);

// What dropping a stone there is worth to the side that drops it.
int plain_move_score(Grid& grid, int column) {
  const int winner_stones = grid.stones / 2 + 1;
  grid.drop(column);
  const int score = grid.in_four(column) ? 22 - winner_stones : -plain_score(grid);
  grid.lift(column);
  return score;
}

int plain_score(Grid& grid) {
  if (grid.stones == kSquares) return 0;
  int best = -kSquares;
  for (int column = 0; column < kColumns; ++column)
    if (!grid.full(column)) best = std::max(best, plain_move_score(grid, column));
  return best;
}

Grid grid_of(const std::string& moves) {
  Grid grid;
  for (char move : moves) grid.drop(move - '1');
  return grid;
}

// Random play to the given number of stones; begins again whenever a game ends before.
std::string random_moves(std::mt19937& random, std::size_t stones) {
  std::string moves;
  while (moves.size() < stones) {
    const std::string longer = moves + static_cast<char>('1' + random() % kColumns);
    const auto position = Position::parse(longer);
    if (!position) continue;
    moves = position->over() ? "" : longer;
  }
  return moves;
}

std::string mirrored(std::string moves) {
  for (char& move : moves) move = static_cast<char>('1' + '7' - move);
  return moves;
}

int sign_of(int score) { return (score > 0) - (score < 0); }

}  // namespace

TEST_CASE("the solver agrees with a plain minimax on late positions") {
  std::mt19937 random(7);
  Solver solver;
  for (int i = 0; i < 400; ++i) {
    const std::string moves = random_moves(random, 30 + random() % 12);
    CAPTURE(moves);
    const Position position = *Position::parse(moves);
    Grid grid = grid_of(moves);
    CHECK(solver.score(position) == plain_score(grid));
    CHECK(solver.sign(position) == sign_of(plain_score(grid)));
    const auto move_scores = solver.move_scores(position);
    for (int column = 0; column < kColumns; ++column) {
      CAPTURE(column);
      const std::optional<int> score = move_scores[static_cast<std::size_t>(column)];
      REQUIRE(score.has_value() == !grid.full(column));
      if (score) CHECK(*score == plain_move_score(grid, column));
    }
  }
}

TEST_CASE("what is claimed without search is true, and every kind of claim comes up") {
  std::mt19937 random(19);
  int first_wins = 0, second_wins = 0, second_holds = 0;
  for (int i = 0; i < 1500; ++i) {
    const std::string moves = random_moves(random, 32 + random() % 9);
    CAPTURE(moves);
    const int claim = Position::parse(moves)->claim();
    if (claim == Position::kNoClaim) continue;
    Grid grid = grid_of(moves);
    CHECK(plain_score(grid) <= claim);
    const bool first_moves = moves.size() % 2 == 0;
    first_wins += !first_moves;
    second_wins += first_moves && claim < 0;
    second_holds += first_moves && claim == 0;
  }
  CHECK(first_wins > 10);
  CHECK(second_wins > 10);
  CHECK(second_holds > 10);
}

TEST_CASE("known positions keep their scores") {
  struct Known {
    const char* moves;
    int score;
  };
  const Known table[] = {
      {"71461655", -2},
      {"437517776", 2},
      {"4365717744", 2},
      {"3251761313", -3},
      {"74336726361", 5},
      {"255263776373", 2},
      {"623562455751", 4},
      {"6416341247444", -4},
      {"6672456357162", -5},
      {"22744773364446", 2},
      {"16571513612417", 2},
      {"13117333672645", 0},
      {"475276516754112", -2},
      {"647655742751716", 4},
      {"7651513747746236", 4},
      {"2616647347467264", 4},
      {"5347652232723721", 2},
      {"51727732174622263", 2},
      {"27212371661141534", -11},
      {"166641552543244551", 10},
      {"125521313337124372", 12},
      {"376527767116546627", 11},
      {"2734725315416561173", 11},
      {"2475133262112623766", 2},
      {"46174155371262744665", -9},
      {"16535515752762566171", -3},
      {"544763551326631542471", 11},
      {"7711175623712532276527", 2},
      {"6254121571117251532225", 4},
      {"22455353522234451714531", -3},
      {"567625411262233552725366", 2},
      {"427427561133777224346321", -9},
      {"2152143254512714455762627", 4},
      {"16432443547657154743313773", 2},
      {"642756616243777177262226555", -5},
      {"6663117574476376444741113715", 7},
      {"61347434254221122667445666337", -1},
      {"765431336332135445266225221477", 5},
      {"66213475521375572266156771231746", 0},
      {"113571623537432712553143241674462", 5},
      {"46364345743747567141731521662215671", 4},
      {"677142662114142571746552124762467353", 3},
      {"57624345333221716462472317564541563175", 0},
      {"47456333723633756657171167611551544442222", 0},
  };
  Solver solver, sign_solver;
  for (const Known& known : table) {
    CAPTURE(known.moves);
    CHECK(solver.score(*Position::parse(known.moves)) == known.score);
    CHECK(sign_solver.sign(*Position::parse(known.moves)) == sign_of(known.score));
  }
}

TEST_CASE("a score is the best of the move scores, and mirror images share it") {
  std::mt19937 random(11);
  for (int i = 0; i < 60; ++i) {
    const std::string moves = random_moves(random, 14 + random() % 28);
    CAPTURE(moves);
    const Position position = *Position::parse(moves);
    Solver fresh, mirror_solver, move_solver;
    const int score = fresh.score(position);
    CHECK(mirror_solver.score(*Position::parse(mirrored(moves))) == score);

    const auto move_scores = move_solver.move_scores(position);
    CHECK(**std::max_element(move_scores.begin(), move_scores.end()) == score);
  }
}

TEST_CASE("neither a warm table nor a tiny one changes an answer") {
  std::mt19937 random(13);
  Solver warm, tiny(0);
  for (int i = 0; i < 100; ++i) {
    const std::string moves = random_moves(random, 17 + random() % 25);
    CAPTURE(moves);
    const Position position = *Position::parse(moves);
    Solver fresh;
    const int score = fresh.score(position);
    CHECK(tiny.score(position) == score);
    for (int bound : {-1, 0, score - 1, score})
      CHECK(warm.above(position, bound) == (score > bound));
    CHECK(warm.sign(position) == sign_of(score));
    CHECK(warm.score(position) == score);
    CHECK(warm.score(position) == score);
    CHECK(warm.sign(position) == sign_of(score));
  }
}

TEST_CASE("a position can be read back from its key") {
  std::mt19937 random(17);
  for (int i = 0; i < 1000; ++i) {
    const std::string moves = random_moves(random, random() % kSquares);
    CAPTURE(moves);
    const Grid grid = grid_of(moves);
    const std::uint64_t key = Position::parse(moves)->key();
    CHECK(mirror(key) == Position::parse(mirrored(moves))->key());
    CHECK((key >> 7 * kColumns) == 0);
    for (int column = 0; column < kColumns; ++column) {
      const std::uint64_t bits = key >> 7 * column & 0x7f;
      REQUIRE(std::bit_width(bits) == grid.height[column] + 1);
      for (int row = 0; row < grid.height[column]; ++row)
        CHECK(grid.owner[column][row] == (bits >> row & 1 ? grid.mover() : -grid.mover()));
    }
  }
}

TEST_CASE("move scores are told as they come, and a win at once has its score") {
  std::string told;
  const auto tell = [&told](int column, int score) {
    told += std::to_string(column) + ":" + std::to_string(score) + " ";
  };
  Solver solver;
  const auto scores = solver.move_scores(*Position::parse("51422227237171621755556156"), tell);
  CHECK(told == "0:-2 2:-1 3:8 5:-1 6:-2 ");
  CHECK(scores[3] == 8);
  CHECK(!scores[1]);
}

TEST_CASE("moves that cannot be played are refused with one sentence") {
  const auto complaint = [](const char* moves) {
    std::string error;
    CHECK(!Position::parse(moves, &error));
    CHECK(!Position::parse(moves));
    return error;
  };
  CHECK(complaint("4x4") == "move 2 cannot be played: 'x' is not a column from 1 to 7");
  CHECK(complaint("448") == "move 3 cannot be played: '8' is not a column from 1 to 7");
  CHECK(complaint("4444444") == "move 7 cannot be played: column 4 is full");
  CHECK(complaint("12121213") == "move 8 cannot be played: the game is already over");
}

TEST_CASE("the last move may end the game") {
  CHECK(Position::parse("1212121")->over());
  CHECK(!Position::parse("121212")->over());
  CHECK(!Position::parse("")->over());
  CHECK(Position::parse("")->stones() == 0);
}

TEST_CASE("the solver agrees with the public test sets") {
  const char* truth = std::getenv("TABULA_TRUTH");
  if (!truth) {
    MESSAGE("skipped: set TABULA_TRUTH to the folder that holds connect4/Test_L2_R1 and its kin");
    return;
  }
  Solver solver, sign_solver;
  for (const char* set : {"Test_L2_R1", "Test_L2_R2", "Test_L1_R1"}) {
    const std::string path = std::string(truth) + "/connect4/" + set;
    std::ifstream file(path);
    REQUIRE_MESSAGE(file, "cannot read " << path);
    std::string moves;
    int score = 0, count = 0;
    for (; file >> moves >> score; ++count) {
      CAPTURE(moves);
      CHECK(solver.score(*Position::parse(moves)) == score);
      CHECK(sign_solver.sign(*Position::parse(moves)) == sign_of(score));
    }
    CHECK(count == 1000);
  }
}
