#include <functional>

#include "tests/fake_evaluator.h"
#include "tests/self_play.h"

using namespace tabula;

namespace {

// Says of any position what a script has player 0 think of it.
class Scripted : public Evaluator {
 public:
  using Script = std::function<Wdl(const State&)>;
  explicit Scripted(Script script) : script_(std::move(script)) {}
  void evaluate(std::span<const Question> questions, std::span<Answer> answers) override {
    for (std::size_t i = 0; i < questions.size(); ++i) {
      std::ranges::fill(questions[i].policy, 1 / float(questions[i].policy.size()));
      answers[i] = {.value = script_(*questions[i].state).seen_by(questions[i].state->turn())};
    }
  }

 private:
  Script script_;
};

constexpr Wdl kBad{0.02f, 0.02f, 0.96f}, kEven{0.4f, 0.2f, 0.4f};

// Blind searches and random moves: what happens has little to do with what the script says.
GameConfig resigning(float play_on) {
  GameConfig config;
  config.search = {.simulations = 8, .prove = false};
  config.temperature = {.start = 1, .plies = 100};
  config.resign = {.loss = 0.9f, .moves = 3, .play_on = play_on};
  return config;
}

PlayedGroup games_of(const GameConfig& config, Evaluator& evaluator, int count = 100) {
  return played_together(shipped("connect4"), config, evaluator, 10, first_numbers(count));
}

}  // namespace

TEST_CASE("a player gives up after as many bad moves of its own as configured") {
  Scripted gloomy([](const State&) { return kBad; });
  for (int moves : {1, 2, 3}) {
    GameConfig config = resigning(0);
    config.resign.moves = moves;
    for (const auto& [number, game] : games_of(config, gloomy, 20).games) {
      check_record(shipped("connect4"), game);
      CHECK(game.ending == Ending::resigned);
      CHECK(game.resigner == 0);
      CHECK(int(game.plies.size()) == 2 * moves - 1);
    }
  }
}

TEST_CASE("nobody gives up unless asked to, nor at a threshold that is not reached") {
  Scripted gloomy([](const State&) { return kBad; });
  for (float loss : {0.f, 0.97f}) {
    GameConfig config = resigning(0);
    config.resign.loss = loss;
    const PlayedGroup group = games_of(config, gloomy, 20);
    CHECK(group.stats.resigned == 0);
    CHECK(group.stats.played_on == 0);
  }
}

TEST_CASE("bad moves count in a row only") {
  // One simulation looks at the root and one ply on: player 0 despairs at plies 0, 2, then 8, 10...
  Scripted moody(
      [](const State& state) { return state.ply() >= 4 && state.ply() < 8 ? kEven : kBad; });
  GameConfig config = resigning(0);
  config.search.simulations = 1;
  int reached = 0;
  for (const auto& [number, game] : games_of(config, moody, 40).games) {
    if (game.ending != Ending::resigned) continue;
    CHECK(game.plies.size() == 13);
    ++reached;
  }
  CHECK(reached > 20);
}

TEST_CASE("a game played on goes as the resigned one until a player would have given up") {
  Scripted gloomy([](const State&) { return kBad; });
  const auto resigned = games_of(resigning(0), gloomy).games;
  const auto played_on = games_of(resigning(1), gloomy).games;
  for (const auto& [number, whole] : played_on) {
    const GameRecord& part = resigned.at(number);
    REQUIRE(part.plies.size() < whole.plies.size());
    CHECK(std::equal(part.plies.begin(), part.plies.end(), whole.plies.begin()));
    int flagged = 0;
    for (const PlyRecord& ply : whole.plies) flagged += ply.resign;
    CHECK(flagged == 1);
    CHECK(whole.plies[part.plies.size() - 1].resign);
    CHECK(whole.ending == Ending::by_rules);
  }
}

TEST_CASE("false resignations are counted where games are played on") {
  Scripted gloomy([](const State&) { return kBad; });
  const PlayedGroup group = games_of(resigning(1), gloomy);
  std::uint64_t saved = 0;
  for (const auto& [number, game] : group.games) saved += game.result >= 0;
  CHECK(group.stats.games == 100);
  CHECK(group.stats.resigned == 0);
  CHECK(group.stats.played_on == 100);
  CHECK(group.stats.played_on_saved == saved);
  CHECK(saved > 10);
  CHECK(saved < 90);
  // The other player's despair is judged by the other player's results.
  Scripted cheerful([](const State&) { return kBad.flipped(); });
  const PlayedGroup mirrored = games_of(resigning(1), cheerful);
  saved = 0;
  for (const auto& [number, game] : mirrored.games) {
    CHECK(game.resigner == 1);
    saved += game.result <= 0;
  }
  CHECK(mirrored.stats.played_on_saved == saved);
}

TEST_CASE("to give up a draw is as wrong as to give up a win") {
  for (int resigner : {0, 1})
    for (int result : {-1, 0, 1}) {
      PlayStats stats;
      GameRecord game;
      game.ending = Ending::by_rules;
      game.resigner = resigner;
      game.result = result;
      stats.add(game);
      CHECK(stats.played_on == 1);
      CHECK(stats.played_on_saved == (result != (resigner == 0 ? -1 : 1)));
    }
}

TEST_CASE("the share of games played on is as configured") {
  Scripted gloomy([](const State&) { return kBad; });
  const PlayStats stats = games_of(resigning(0.3f), gloomy, 600).stats;
  CHECK(stats.resigned + stats.played_on == 600);
  CHECK(double(stats.played_on) / 600 == doctest::Approx(0.3).epsilon(0.2));
}
