// What `tabula eval` is made of.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>

#include "core/truth/sample.h"
#include "front/eval/connect4.h"
#include "front/eval/pig.h"
#include "games/connect4/solver/solver.h"
#include "tests/support.h"

using namespace tabula;

namespace {

int sign_of(int score) { return (score > 0) - (score < 0); }

// Holds at twenty, and with what wins.
struct HoldsAtTwenty : Evaluator {
  void evaluate(std::span<const Question> questions, std::span<Answer> answers) override {
    for (std::size_t i = 0; i < questions.size(); ++i) {
      std::vector<float> planes(std::size_t(questions[i].state->rules().plane_floats()));
      questions[i].state->encode(planes);
      const bool holds = std::lround(100 * planes[22]) >= 20 || planes[33] == 1;
      questions[i].policy[0] = holds ? 0.6f : 0.4f;
      questions[i].policy[1] = holds ? 0.4f : 0.6f;
      answers[i] = {};
    }
  }
};

}  // namespace

TEST_CASE("a player's chances at pig are those of its decisions") {
  Choosing choosing{.threads = 2};
  choosing.search.simulations = 0;
  const pig::Seats seats = pig_strength(
      shipped("pig100"), [] { return std::make_unique<HoldsAtTwenty>(); }, choosing);
  const pig::Seats expected = pig::against(
      pig::Optimal(), [](int own, int, int pot) { return pot < 20 && own + pot < 100; });
  CHECK(seats.first == doctest::Approx(expected.first).epsilon(1e-12));
  CHECK(seats.second == doctest::Approx(expected.second).epsilon(1e-12));
  CHECK(seats.mean() > 0.45);
}

TEST_CASE("moves of connect4 keep the value if their scores have the position's sign") {
  const Rules& rules = shipped("connect4");
  connect4::Solver solver;
  std::vector<Connect4Line> lines;
  for (const Sample& sample : sample_positions(rules, 200, 3, 20)) {
    std::string moves;
    for (Action column : sample.moves) moves += char('1' + column);
    const int sign = sign_of(solver.score(*connect4::Position::parse(moves)));
    const bool told = lines.size() % 2;
    lines.push_back({moves, told ? std::optional(sign) : std::nullopt, ""});
  }
  const auto judged_lines = judge_connect4(rules, lines, {.threads = 2, .cache = ""});
  int thrown[3] = {};  // by the sign that they leave behind
  for (std::size_t i = 0; i < lines.size(); ++i) {
    CAPTURE(lines[i].moves);
    const auto position = *connect4::Position::parse(lines[i].moves);
    const int sign = sign_of(solver.score(position));
    CHECK(judged_lines[i].value == sign);
    std::vector<bool> keeps;
    for (const auto& score : solver.move_scores(position)) {
      if (!score) continue;
      keeps.push_back(sign_of(*score) == sign);
      thrown[sign + 1] += !keeps.back();
    }
    CHECK(judged_lines[i].keeps == keeps);
  }
  CHECK(thrown[0] == 0);
  CHECK(thrown[1] > 10);
  CHECK(thrown[2] > 10);
}

TEST_CASE("the signs that eval finds are those of the public test sets") {
  const char* truth = std::getenv("TABULA_TRUTH");
  if (!truth) {
    MESSAGE("skipped: set TABULA_TRUTH to the folder that holds connect4/Test_L2_R1 and its kin");
    return;
  }
  for (const char* set : {"Test_L2_R1", "Test_L2_R2"}) {
    const std::string path = std::string(truth) + "/connect4/" + set;
    std::ifstream file(path);
    REQUIRE_MESSAGE(file, "cannot read " << path);
    std::vector<Connect4Line> lines;
    std::vector<int> signs;
    std::string moves;
    for (int score = 0; file >> moves >> score;) {
      lines.push_back({moves, std::nullopt, ""});
      signs.push_back(sign_of(score));
    }
    const auto positions = judge_connect4(shipped("connect4"), lines, {.threads = 2, .cache = ""});
    REQUIRE(positions.size() == 1000);
    const auto believed = positions_in_file(shipped("connect4"), path, {.threads = 2, .cache = ""});
    for (std::size_t i = 0; i < positions.size(); ++i) {
      CAPTURE(lines[i].moves);
      CHECK(positions[i].value == signs[i]);
      CHECK(believed[i].value == signs[i]);
      CHECK(believed[i].keeps == positions[i].keeps);
    }
  }
}
