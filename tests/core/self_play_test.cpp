#include "core/search/self_play.h"

#include <set>

#include "tests/fake_evaluator.h"
#include "tests/self_play.h"

using namespace tabula;

namespace {

// Small searches without noise or proofs, the best move always: nothing is left to chance.
GameConfig quiet(int simulations = 12) {
  GameConfig config;
  config.search = {.simulations = simulations, .prove = false, .noise_fraction = 0};
  config.temperature = {.start = 0, .plies = 0};
  return config;
}

std::vector<GameRecord> many(const char* game, const GameConfig& config, int count) {
  FakeEvaluator fake;
  std::vector<GameRecord> games;
  for (auto& [number, record] :
       played_together(shipped(game), config, fake, 8, first_numbers(count)).games)
    games.push_back(record);
  return games;
}

std::size_t distinct(const std::vector<GameRecord>& games) {
  std::set<std::vector<Action>> different;
  for (const GameRecord& game : games) different.insert(actions_of(game));
  return different.size();
}

}  // namespace

TEST_CASE("every game plays to its end, by PUCT and by Gumbel, and its records hold") {
  FakeEvaluator fake;
  for (const char* name :
       {"tictactoe", "connect4", "othello6", "hex7", "breakthrough8", "go5", "pig100", "einstein"})
    for (Method method : {Method::puct, Method::gumbel}) {
      CAPTURE(std::string(name));
      const Rules& rules = shipped(name);
      GameConfig config;
      config.search = {.method = method, .simulations = 12, .forced_playouts = 2};
      config.full_share = 0.5f;
      config.cheap_simulations = 5;
      config.opening.plies = 3;
      config.reuse_tree = true;
      const auto games = played_together(rules, config, fake, 3, first_numbers(6)).games;
      for (const auto& [number, game] : games) check_record(rules, game);
    }
}

TEST_CASE("a game follows from its seed, and another seed gives another game") {
  FakeEvaluator fake;
  GameConfig config;
  config.search.simulations = 10;
  const Rules& rules = shipped("einstein");
  CHECK(played(rules, config, fake, 1) == played(rules, config, fake, 1));
  CHECK(actions_of(played(rules, config, fake, 1)) != actions_of(played(rules, config, fake, 2)));
}

TEST_CASE("at temperature 0 the most visited move is played, above it not always") {
  GameConfig config = quiet(30);
  CHECK(distinct(many("connect4", config, 8)) == 1);
  const auto strays = [&](int from, int to) {
    int count = 0;
    for (const GameRecord& game : many("connect4", config, 20))
      for (int ply = from; ply < to && ply < int(game.plies.size()); ++ply) {
        const PlyRecord& played = game.plies[std::size_t(ply)];
        float weight = 0;  // of equally visited moves the search takes the better one
        for (const PolicyEntry& entry : game.policy_of(played))
          if (entry.action == played.action) weight = entry.weight;
        for (const PolicyEntry& entry : game.policy_of(played))
          if (entry.weight > weight) {
            ++count;
            break;
          }
      }
    return count;
  };
  CHECK(strays(0, 42) == 0);
  config.temperature = {.start = 1, .plies = 6};
  CHECK(strays(0, 6) > 30);
  CHECK(strays(6, 42) == 0);
  config.temperature.half_life = 10;
  CHECK(strays(6, 42) > 20);
  config.temperature = {.start = 0, .plies = 6, .half_life = 0, .end = 1};
  CHECK(strays(0, 6) == 0);
  CHECK(strays(6, 42) > 20);
}

TEST_CASE("temperature holds, then falls by half-lives, or at once") {
  const Temperature slow{.start = 1, .plies = 10, .half_life = 4, .end = 0.2f};
  CHECK(temperature_at(slow, 0) == 1);
  CHECK(temperature_at(slow, 9) == 1);
  CHECK(temperature_at(slow, 10) == doctest::Approx(1));
  CHECK(temperature_at(slow, 14) == doctest::Approx(0.6));
  CHECK(temperature_at(slow, 18) == doctest::Approx(0.4));
  CHECK(temperature_at(slow, 1000) == doctest::Approx(0.2));
  const Temperature sudden{.start = 1, .plies = 10, .half_life = 0, .end = 0.2f};
  CHECK(temperature_at(sudden, 9) == 1);
  CHECK(temperature_at(sudden, 10) == 0.2f);
}

TEST_CASE("Gumbel plays the move it has drawn, whatever the temperature") {
  GameConfig config = quiet();
  config.search.method = Method::gumbel;
  const auto cold = many("connect4", config, 10);
  CHECK(distinct(cold) > 5);
  config.temperature = {.start = 1, .plies = 100};
  CHECK(many("connect4", config, 10) == cold);
}

TEST_CASE("who can win at once wins, whatever the temperature: the proof decides") {
  GameConfig config;
  config.search.simulations = 200;
  config.temperature = {.start = 1, .plies = 100};
  int chances = 0;
  for (const GameRecord& game : many("tictactoe", config, 40)) {
    State state(shipped("tictactoe"));
    for (const PlyRecord& ply : game.plies) {
      const int win = state.turn() == 0 ? 1 : -1;
      bool could_win = false;
      for (Action action : state.legal()) {
        State next = state;
        next.apply(action);
        could_win |= next.over() && next.result() == win;
      }
      state.apply(ply.action);
      if (!could_win) continue;
      ++chances;
      CHECK(ply.value == Wdl::certain(1));
      CHECK(game.result == win);  // at once, or by another win that was proven first
    }
  }
  CHECK(chances > 5);
}

TEST_CASE("cheap searches are as many as configured, cheaper, and give no policy") {
  GameConfig config = quiet(12);
  config.temperature = {.start = 1, .plies = 100};
  config.full_share = 0.3f;
  config.cheap_simulations = 4;
  int full = 0, cheap = 0;
  for (const GameRecord& game : many("connect4", config, 100))
    for (const PlyRecord& ply : game.plies) {
      ++(ply.full ? full : cheap);
      CHECK(ply.descents == (ply.full ? 13 : 5));  // the root itself is one
      CHECK(game.policy_of(ply).empty() == !ply.full);
    }
  CHECK(full + cheap > 1500);
  CHECK(float(full) / float(full + cheap) == doctest::Approx(0.3).epsilon(0.1));
}

TEST_CASE("only full searches explore") {
  GameConfig config = quiet();
  config.cheap_simulations = config.search.simulations;
  config.search.noise_fraction = 0.9f;
  config.full_share = 0;
  CHECK(distinct(many("connect4", config, 10)) == 1);
  const auto cheap = actions_of(many("connect4", config, 1).front());
  config.full_share = 1;
  CHECK(distinct(many("connect4", config, 10)) > 5);
  config.search.noise_fraction = 0;
  CHECK(actions_of(many("connect4", config, 1).front()) == cheap);
  config.search.forced_playouts = 50;
  CHECK(actions_of(many("connect4", config, 1).front()) != cheap);
}

TEST_CASE("openings are random, as long as asked for, and never end a game") {
  for (const char* name : {"connect4", "pig100", "einstein"}) {
    CAPTURE(std::string(name));
    const Rules& rules = shipped(name);
    GameConfig config = quiet(2);
    const auto lengths = [&] {
      std::map<int, int> count;
      for (const GameRecord& game : many(name, config, 60)) {
        check_record(rules, game);
        int opening = 0;
        for (const PlyRecord& ply : game.plies) opening += ply.opening;
        ++count[opening];
      }
      return count;
    };
    CHECK(lengths() == std::map<int, int>{{0, 60}});
    config.opening = {.plies = 4, .exact = true};
    CHECK(lengths() == std::map<int, int>{{4, 60}});
    CHECK(distinct(many(name, config, 60)) > 50);
    config.opening.exact = false;
    const auto drawn = lengths();
    CHECK(drawn.size() == 5);
    for (const auto& [length, count] : drawn) CHECK(count >= 4);
  }
  // A fifth ply that makes a row is drawn again, for there are others; a ninth ends every game.
  GameConfig five = quiet(2);
  five.opening = {.plies = 5, .exact = true};
  for (const GameRecord& game : many("tictactoe", five, 100)) {
    REQUIRE(game.plies.size() > 5);
    CHECK(game.plies[4].opening);
  }
  GameConfig whole = quiet(2);
  whole.opening = {.plies = 9, .exact = true};
  for (const GameRecord& game : many("tictactoe", whole, 200)) {
    check_record(shipped("tictactoe"), game);
    CHECK(searched(game.plies.back()));
  }
}

TEST_CASE("dice fall by their odds") {
  int faces[6] = {}, rolls = 0;
  for (const GameRecord& game : many("pig100", quiet(2), 40))
    for (const PlyRecord& ply : game.plies)
      if (ply.chance) {
        ++faces[ply.action];
        ++rolls;
      }
  CHECK(rolls > 1000);
  for (int face : faces) CHECK(6.0 * face / rolls == doctest::Approx(1).epsilon(0.2));
}

TEST_CASE("values are chances, also where dice fall and searches are short") {
  GameConfig config;
  config.full_share = 0;
  config.cheap_simulations = 4;
  for (const GameRecord& game : many("einstein", config, 200))
    check_record(shipped("einstein"), game);
}

TEST_CASE("reuse saves the walks that the last search took already") {
  GameConfig config = quiet(60);
  const auto walks = [&] {
    std::vector<std::uint32_t> all;
    for (const GameRecord& game : many("connect4", config, 1))
      for (const PlyRecord& ply : game.plies) all.push_back(ply.descents);
    return all;
  };
  for (std::uint32_t descents : walks()) CHECK(descents == 61);
  config.reuse_tree = true;
  const auto reused = walks();
  CHECK(reused.front() == 61);
  for (std::size_t i = 1; i < reused.size(); ++i) CHECK(reused[i] < 61);
}

TEST_CASE("a game that its players stall is adjudicated at the limit") {
  struct Staller : Evaluator {  // in Pig: hold nothing, for ever
    void evaluate(std::span<const Question> questions, std::span<Answer> answers) override {
      for (std::size_t i = 0; i < questions.size(); ++i) {
        std::ranges::fill(questions[i].policy, 0.f);
        questions[i].policy[0] = 1;
        answers[i] = {.value = Wdl::certain(0)};
      }
    }
  } staller;
  const Rules& rules = shipped("pig100");
  const GameRecord game = played(rules, quiet(2), staller, 1);
  check_record(rules, game);
  CHECK(game.ending == Ending::adjudicated);
  CHECK(int(game.plies.size()) == rules.table().max_plies);
  CHECK(game.result == 0);
}

TEST_CASE("a game that fails is reported with the moves that led there") {
  const RulesPtr rules = load_plugin(TABULA_BUILD "/tests/wrong_games/throws.so").front();
  FakeEvaluator fake;
  GameConfig config = quiet(2);
  config.opening = {.plies = 2, .exact = true};
  std::string message;
  try {
    played(*rules, config, fake, 1);
  } catch (const GameError& error) {
    message = error.what();
  }
  CHECK(message.starts_with("throws: apply() failed: no more matches, after "));
}
