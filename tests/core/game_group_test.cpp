#include "core/search/game_group.h"

#include <algorithm>
#include <deque>

#include "tests/allocations.h"
#include "tests/fake_evaluator.h"
#include "tests/self_play.h"

using namespace tabula;

namespace {

// Everything that draws random numbers or carries something from ply to ply.
GameConfig everything() {
  GameConfig config;
  config.search = {.simulations = 10, .forced_playouts = 2};
  config.full_share = 0.4f;
  config.cheap_simulations = 4;
  config.temperature = {.start = 1, .plies = 6, .half_life = 5};
  config.opening.plies = 4;
  config.resign = {.loss = 0.5f, .moves = 2, .play_on = 0.5f};
  config.reuse_tree = true;
  return config;
}

}  // namespace

TEST_CASE("a game is the same alone, among 1 to 70 others, in any order and in a used place") {
  FakeEvaluator fake;
  for (const char* name : {"connect4", "einstein"}) {
    const Rules& rules = shipped(name);
    const GameConfig config = everything();
    std::vector<std::uint64_t> numbers = first_numbers(70);
    std::map<std::uint64_t, GameRecord> alone;
    for (std::uint64_t number : numbers) {
      alone[number] = played(rules, config, fake, number);
      alone[number].number = number;
    }
    Rng rng(4);
    for (int at_a_time = 1; at_a_time <= 70; ++at_a_time) {
      CAPTURE(at_a_time);
      for (std::size_t i = numbers.size(); i > 1; --i)
        std::swap(numbers[i - 1], numbers[rng.below(std::uint32_t(i))]);
      CHECK(played_together(rules, config, fake, at_a_time, numbers).games == alone);
    }
    int resigned = 0, played_on = 0;  // or the comparison says less than it seems to
    for (const auto& [number, game] : alone) {
      resigned += game.ending == Ending::resigned;
      played_on += game.resigner >= 0 && game.ending != Ending::resigned;
    }
    CHECK(resigned > 5);
    CHECK(played_on > 5);
  }
}

TEST_CASE("pending leaves of one tree do not mix with those of other games") {
  FakeEvaluator fake;
  GameConfig config = everything();
  config.search.pending = 4;
  const Rules& rules = shipped("connect4");
  const auto few = played_together(rules, config, fake, 1, first_numbers(20)).games;
  CHECK(played_together(rules, config, fake, 7, first_numbers(20)).games == few);
}

TEST_CASE("a group counts what it did") {
  FakeEvaluator fake;
  const Rules& rules = shipped("connect4");
  const PlayedGroup group = played_together(rules, everything(), fake, 5, first_numbers(30));
  PlayStats expected;
  for (const auto& [number, game] : group.games)
    for (const PlyRecord& ply : game.plies) {
      ++expected.plies;
      expected.full_searches += ply.full;
      expected.cheap_searches += searched(ply) && !ply.full;
      expected.descents += ply.descents;
    }
  CHECK(group.stats.games == 30);
  CHECK(group.stats.plies == expected.plies);
  CHECK(group.stats.full_searches == expected.full_searches);
  CHECK(group.stats.cheap_searches == expected.cheap_searches);
  CHECK(group.stats.descents == expected.descents);
  CHECK(group.stats.evaluations > expected.descents / 2);
  CHECK(group.stats.evaluations < expected.descents);
  PlayStats twice = group.stats;
  twice += group.stats;
  CHECK(twice.games == 60);
  CHECK(twice.descents == 2 * expected.descents);
}

namespace {

// Answers when it is waited for, and not before, as a GPU does.
class SlowEvaluator : public FakeEvaluator {
 public:
  int in_flight() const override { return 2; }
  void begin(std::span<const Question> questions, std::span<Answer> answers) override {
    out_.emplace_back(questions, answers);
    most_out = std::max(most_out, out_.size());
  }
  void finish() override {
    evaluate(out_.front().first, out_.front().second);
    out_.pop_front();
  }
  std::size_t most_out = 0;

 private:
  std::deque<std::pair<std::span<const Question>, std::span<Answer>>> out_;
};

}  // namespace

TEST_CASE("two groups with a batch out each play the games that one plays") {
  FakeEvaluator fake;
  SlowEvaluator slow[2];
  const Rules& rules = shipped("connect4");
  GameConfig config = everything();
  config.reuse_tree = false;  // a tree is not another model's
  const auto alone = played_together(rules, config, fake, 5, first_numbers(40)).games;
  std::map<std::uint64_t, GameRecord> games;
  std::uint64_t next = 0;
  std::deque<GameGroup> groups;
  for (int i = 0; i < 2; ++i)
    groups.emplace_back(
        rules, config, 3,
        [&]() -> std::optional<GameTicket> {
          if (next == 40) return {};
          ++next;
          return GameTicket{next - 1, next - 1};
        },
        [&](const GameRecord& game) { games[game.number] = game; });
  const auto slow_of = [&](std::uint32_t model) -> Evaluator& { return slow[model]; };
  for (int round = 0, questions = 1; questions > 0; ++round) {
    questions = 0;
    for (GameGroup& group : groups) {
      group.finish_round();
      group.use(round < 200 ? 0 : 1);  // the same opinions, under another number
      questions += int(group.begin_round(slow_of));
    }
  }
  for (auto& [number, game] : games)
    for (PlyRecord& ply : game.plies) ply.model = 0;
  CHECK(games == alone);
  CHECK(slow[0].most_out == 2);
  CHECK(slow[1].most_out == 2);
}

TEST_CASE("a group without games waits, and goes on when there are some") {
  FakeEvaluator fake;
  int allowed = 0, finished = 0;
  GameGroup group(
      shipped("tictactoe"), everything(), 4,
      [&]() -> std::optional<GameTicket> {
        if (allowed == 0) return {};
        --allowed;
        return GameTicket{};
      },
      [&](const GameRecord&) { ++finished; });
  for (int wave = 1; wave <= 3; ++wave) {
    CHECK(group.round(fake) == 0);
    allowed = 3;
    while (group.round(fake) > 0) {}
    CHECK(finished == 3 * wave);
  }
}

TEST_CASE("a new model answers the searches that begin after it came, and no others") {
  FakeEvaluator fakes[3];
  std::vector<GameRecord> records;
  int given = 0;
  GameConfig config;
  config.search.simulations = 50;
  config.reuse_tree = true;
  GameGroup group(
      shipped("connect4"), config, 8,
      [&] {
        return given++ >= 8 ? std::nullopt : std::optional(GameTicket{1, unsigned(given)});
      },
      [&](const GameRecord& game) { records.push_back(game); });
  const auto evaluator_of = [&](std::uint32_t model) -> Evaluator& { return fakes[model]; };
  const auto play = [&](int rounds) {
    while (rounds-- > 0 && group.begin_round(evaluator_of) > 0) group.finish_round();
  };
  group.use(1);
  play(120);
  const int asked = fakes[1].batches;
  CHECK(asked == 120);
  CHECK(group.oldest_model() == 1);
  group.use(2);
  play(1);
  CHECK(group.oldest_model() == 1);
  play(59);  // a search has at most 50 left
  CHECK(fakes[1].batches > asked);
  CHECK(fakes[1].batches < asked + 60);
  CHECK(group.oldest_model() == 2);
  const int left = fakes[1].batches;
  play(100'000);
  CHECK(fakes[1].batches == left);
  CHECK(fakes[0].batches == 0);
  REQUIRE(records.size() == 8);
  for (const GameRecord& record : records) {
    std::vector<std::uint32_t> models;
    for (const PlyRecord& ply : record.plies) models.push_back(ply.model);
    CHECK(std::ranges::is_sorted(models));
    CHECK(models.front() == 1);
    CHECK(models.back() == 2);
  }
}

TEST_CASE("a warm group allocates nothing") {
  FakeEvaluator fake;
  for (const char* name : {"connect4", "einstein", "pig100", "go5"})
    for (Method method : {Method::puct, Method::gumbel}) {
      CAPTURE(std::string(name));
      GameConfig config = everything();
      config.search.method = method;
      std::uint64_t number = 0, plies = 0;
      GameGroup group(
          shipped(name), config, 4,
          [&] {
            return GameTicket{number % 4, number++ % 4};
          },
          [&](const GameRecord& game) { plies += game.plies.size(); });
      const auto play = [&](std::uint64_t games) {
        while (number < games) group.round(fake);
      };
      play(100);
      const long before = allocations;
      const std::uint64_t plies_before = plies;
      play(140);
      CHECK(allocations == before);
      CHECK(plies > plies_before + 100);
    }
}
