// What a trainer does between the store's log and a model.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/data/safetensors.h"
#include "core/loop/batch_loader.h"
#include "core/nn/torch_library.h"
#include "tests/run.h"
#include "tests/scratch.h"
#include "tests/stored_games.h"
#include "tests/without_torch.h"

using namespace tabula;

namespace {

LearnSettings small_settings() {
  LearnSettings settings;
  settings.net = "2x32";
  settings.batch = 32;
  settings.reuse = 3;
  settings.first_positions = 100;
  settings.warm_up_steps = 0;
  settings.train.threads = 1;
  settings.window.cheap = true;
  settings.check();
  return settings;
}

// A log of these games, all or from some number on; the model of one of them is a network's.
LogPage log_of(const std::vector<StoredGame>& games, std::size_t from, std::size_t to) {
  LogPage page;
  for (std::size_t i = from; i < to; ++i) {
    StoredGame game = games[i];
    game.models[0] = std::string(64, 'a');
    page.entries.push_back({.sequence = i + 1, .id = game.id, .bytes = encode_game(game)});
  }
  page.next = page.head = to;
  return page;
}

const std::vector<StoredGame>& some_games() {
  static const auto games = played_games(shipped("tictactoe"), 80);
  return games;
}

std::uint64_t steps_until_it_waits(Learner& learner) {
  ExampleWriter writer = learner.writer();
  TrainingBatch batch;
  std::uint64_t steps = 0;
  for (; learner.waits_for().empty(); ++steps) {
    learner.fill(learner.progress().steps + 1, writer, batch);
    learner.step(batch);
  }
  return steps;
}

}  // namespace

TEST_CASE("a learner uses each position as often as it may, and then waits") {
  if (skipped_without_torch()) return;
  const Scratch folder;
  Learner learner(shipped("tictactoe"), small_settings(), folder / "c", 1);
  CHECK(contains(learner.waits_for(), "the first games: 0 of 100"));
  learner.add(log_of(some_games(), 0, 5));
  CHECK(contains(learner.waits_for(), "the first games"));
  learner.add(log_of(some_games(), 5, 40));
  const std::uint64_t seen = learner.progress().seen;
  CHECK(seen == learner.window_positions());
  CHECK(steps_until_it_waits(learner) == 3 * seen / 32);
  CHECK(contains(learner.waits_for(), "new games"));
  learner.add(log_of(some_games(), 40, 80));
  CHECK(steps_until_it_waits(learner) > 0);
  CHECK(learner.progress().samples <= 3 * learner.progress().seen);
  CHECK(learner.progress().samples + 32 > 3 * learner.progress().seen);
}

TEST_CASE("a learner that has enough to do for now says so") {
  if (skipped_without_torch()) return;
  const Scratch folder;
  LearnSettings settings = small_settings();
  settings.reuse = 0.01;  // next to nothing to do
  Learner idle(shipped("tictactoe"), settings, folder / "a", 1);
  idle.add(log_of(some_games(), 0, 80));
  CHECK(!idle.is_ahead());
  std::vector<StoredGame> many;
  while (many.size() < 1500) many.insert(many.end(), some_games().begin(), some_games().end());
  Learner busy(shipped("tictactoe"), small_settings(), folder / "b", 1);
  CHECK(!busy.is_ahead());
  busy.add(log_of(many, 0, many.size()));
  CHECK(busy.is_ahead());
}

TEST_CASE("games by rollouts are a beginning: they are used once") {
  if (skipped_without_torch()) return;
  const Scratch folder;
  Learner learner(shipped("tictactoe"), small_settings(), folder / "c", 1);
  LogPage page = log_of(some_games(), 0, 80);
  for (std::size_t i = 0; i < 80; ++i) page.entries[i].bytes = encode_game(some_games()[i]);
  learner.add(page);
  CHECK(steps_until_it_waits(learner) == learner.progress().seen / 32);
  // Where only some searches teach, these are used more often: the first network is no better than
  // its steps.
  LearnSettings settings = small_settings();
  settings.window.cheap = false;
  Learner few(shipped("tictactoe"), settings, folder / "few", 1);
  few.add(page);
  const LearnProgress at = few.progress();
  REQUIRE(at.seen < at.positions);
  const std::uint64_t steps = steps_until_it_waits(few);
  CHECK(steps > at.seen / 32);
  CHECK(steps <= std::min(3 * at.seen, at.positions) / 32);
}

TEST_CASE("the first step is made though a batch is more than the budget: self-play waits for it") {
  if (skipped_without_torch()) return;
  const Scratch folder;
  LearnSettings settings = small_settings();
  settings.batch = 4096;
  Learner learner(shipped("tictactoe"), settings, folder / "c", 1);
  learner.add(log_of(some_games(), 0, 40));
  REQUIRE(3 * learner.progress().seen < 4096);
  CHECK(steps_until_it_waits(learner) == 1);
  CHECK(contains(learner.waits_for(), "new games"));
}

TEST_CASE("a learner goes on from its checkpoint as if nothing had happened") {
  if (skipped_without_torch()) return;
  const Scratch folder;
  const Rules& rules = shipped("tictactoe");
  LearnSettings settings = small_settings();
  settings.window.first = 150;  // old games leave
  Learner whole(rules, settings, folder / "whole", 1);
  whole.add(log_of(some_games(), 0, 50));
  steps_until_it_waits(whole);
  whole.save("parent");
  whole.add(log_of(some_games(), 50, 80));
  const auto bytes = [](const Learner& learner) {
    return encode_safetensors(to_tensor_file(learner.average("p")));
  };
  CHECK(bytes(Learner(rules, settings, folder / "whole", 99)) == bytes(whole));  // the same model
  steps_until_it_waits(whole);

  Learner again(rules, settings, folder / "whole", 99);  // the checkpoint's seed counts
  CHECK(again.progress().parent == "parent");
  CHECK(contains(again.waits_for(), "to be read again"));
  CHECK(again.read_after() > 0);
  const std::uint64_t games = again.progress().games;
  again.add(log_of(some_games(), again.read_after(), 50));
  CHECK(again.progress().games == games);  // not counted twice
  CHECK(again.waits_for() != "");
  again.add(log_of(some_games(), 50, 80));
  steps_until_it_waits(again);
  CHECK(again.progress().steps == whole.progress().steps);
  CHECK(again.progress().tokens == whole.progress().tokens);
  CHECK(bytes(again) == bytes(whole));
}

TEST_CASE("a checkpoint of something else is refused") {
  if (skipped_without_torch()) return;
  const Scratch folder;
  Learner learner(shipped("tictactoe"), small_settings(), folder / "c", 1);
  learner.add(log_of(some_games(), 0, 80));
  learner.save("");
  const auto refused = [&](const Rules& rules, const LearnSettings& settings, const char* why) {
    CHECK_THROWS_WITH_AS(Learner(rules, settings, folder / "c", 1), doctest::Contains(why), Error);
  };
  refused(shipped("connect4"), small_settings(), "another game");
  LearnSettings larger = small_settings();
  larger.net = "3x32";
  refused(shipped("tictactoe"), larger, "--from-start");
  save_net(learner.average(""), folder / "c");
  refused(shipped("tictactoe"), small_settings(), "no checkpoint");
}

TEST_CASE("a store with fewer games than a checkpoint has seen is another store") {
  if (skipped_without_torch()) return;
  const Scratch folder;
  Learner learner(shipped("tictactoe"), small_settings(), folder / "c", 1);
  learner.add(log_of(some_games(), 0, 80));
  learner.save("");
  Learner again(shipped("tictactoe"), small_settings(), folder / "c", 1);
  CHECK_THROWS_WITH_AS(again.add(log_of(some_games(), 0, 40)),
                       doctest::Contains("another database"), Error);
}

TEST_CASE("after a loss that is not a number, training goes on from the last checkpoint") {
  if (skipped_without_torch()) return;
  const Scratch folder;
  Learner learner(shipped("tictactoe"), small_settings(), folder / "c", 1);
  learner.add(log_of(some_games(), 0, 80));
  ExampleWriter writer = learner.writer();
  TrainingBatch batch;
  const auto step = [&] {
    learner.fill(learner.progress().steps + 1, writer, batch);
    return learner.step(batch);
  };
  CHECK_THROWS_WITH_AS(learner.go_back(), doctest::Contains("--learning-rate"), Error);
  step();
  learner.save("");
  step();
  learner.fill(3, writer, batch);
  batch.planes[0] = std::numeric_limits<float>::quiet_NaN();
  CHECK_THROWS_AS(learner.step(batch), LossIsNoNumber);
  learner.go_back();
  CHECK(learner.progress().steps == 1);
  CHECK(learner.progress().rate_factor == 0.5);
  CHECK(std::isfinite(step().total));
}

TEST_CASE("batches are the same whoever fills them, and after a jump") {
  if (skipped_without_torch()) return;
  const Scratch folder;
  Learner learner(shipped("tictactoe"), small_settings(), folder / "c", 1);
  learner.add(log_of(some_games(), 0, 80));
  ExampleWriter writer = learner.writer();
  TrainingBatch expected;
  BatchLoader loader(learner, 3, 1);
  for (std::uint64_t step : {1, 2, 3, 4, 2, 3, 4, 5, 6, 9, 10}) {
    TrainingBatch batch = loader.take(step);
    learner.fill(step, writer, expected);
    CHECK(batch.rows == 32);
    CHECK(batch.planes == expected.planes);
    CHECK(batch.policy == expected.policy);
    CHECK(batch.wdl == expected.wdl);
    loader.give_back(std::move(batch));
  }
}
