// The games a trainer learns from: which they are, and that each position comes up alike.
#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <map>
#include <thread>

#include "core/data/window.h"
#include "tests/stored_games.h"

using namespace tabula;

namespace {

// So many plies, every third of them dice, known by their number.
GameRecord toy_game(std::uint64_t number, int plies) {
  GameRecord game;
  game.number = number;
  game.ending = Ending::by_rules;
  for (int i = 0; i < plies; ++i)
    game.plies.push_back({.action = i, .chance = i % 3 == 0, .value = {}});
  return game;
}

std::size_t examples_in(const GameRecord& game) {
  return std::size_t(std::ranges::count_if(game.plies, is_example));
}

WindowConfig roomy() { return {.first = 1e9, .max_positions = 1'000'000'000}; }

// How often each example of each game is drawn.
std::map<std::pair<std::uint64_t, std::size_t>, int> drawn(const Window& window, int draws) {
  std::map<std::pair<std::uint64_t, std::size_t>, int> counts;
  Rng rng(1);
  for (int i = 0; i < draws; ++i) {
    const Example example = window.draw(rng);
    REQUIRE(is_example(example.game->plies[example.ply]));
    ++counts[{example.game->number, example.ply}];
  }
  return counts;
}

// Each of `cells` should come up alike: the statistic is near cells - 1, give or take its root.
void check_uniform(const Window& window, std::size_t cells) {
  REQUIRE(window.positions() == cells);
  const int draws = int(cells) * 200;
  const auto counts = drawn(window, draws);
  CHECK(counts.size() == cells);
  double chi_square = 0;
  for (const auto& [place, count] : counts) chi_square += (count - 200.) * (count - 200.) / 200;
  const double freedom = double(cells) - 1;
  CHECK(std::abs(chi_square - freedom) < 4 * std::sqrt(2 * freedom));
}

std::size_t fill_with_toys(Window& window, int games) {
  std::size_t examples = 0;
  for (int i = 1; i <= games; ++i) {
    const GameRecord game = toy_game(std::uint64_t(i), 1 + i * 7 % 20);
    examples += examples_in(game);
    window.add(std::uint64_t(10 * i), game);
  }
  return examples;
}

}  // namespace

TEST_CASE("the window grows as a power of the data seen") {
  const WindowConfig config{.first = 1000, .alpha = 0.75, .beta = 0.4, .max_positions = 5000};
  CHECK(window_positions(config, 0) == 1000);
  CHECK(window_positions(config, 1000) == 1000);
  // 1000 * (1 + 0.4 * (16^0.75 - 1) / 0.75), and 16^0.75 is 8.
  CHECK(window_positions(config, 16000) == 4733);
  CHECK(window_positions(config, 1'000'000'000) == 5000);
  // At first, of each new position 0.4 make room for themselves.
  CHECK(window_positions(config, 1010) == 1003);
}

TEST_CASE("every example of every game comes up alike, and nothing else does") {
  Window window(roomy());
  check_uniform(window, (fill_with_toys(window, 60), window.positions()));
  CHECK(window.games() == 57);  // three have nothing but a die
}

TEST_CASE("a game taken back is drawn no more, and the others still alike") {
  Window window(roomy());
  std::size_t examples = fill_with_toys(window, 60);
  for (int i : {1, 2, 17, 30, 31, 60}) {
    const GameRecord game = toy_game(std::uint64_t(i), 1 + i * 7 % 20);
    CHECK(window.drop(std::uint64_t(10 * i)) == (examples_in(game) > 0));
    CHECK(!window.drop(std::uint64_t(10 * i)));
    examples -= examples_in(game);
    CHECK(window.positions() == examples);
  }
  CHECK(!window.drop(11));
  CHECK(!window.drop(100000));
  check_uniform(window, examples);
  for (const auto& [place, count] : drawn(window, 10000)) CHECK(place.first != 17);
  CHECK(window.seen() > examples);
}

TEST_CASE("when most games are taken back the rest still come up alike") {
  Window window(roomy());
  fill_with_toys(window, 200);
  for (int i = 2; i <= 200; ++i)
    if (i % 10 != 0) window.drop(std::uint64_t(10 * i));
  CHECK(window.games() <= 21);
  check_uniform(window, window.positions());
  for (int i = 1; i <= 200; ++i) window.drop(std::uint64_t(10 * i));
  CHECK(window.positions() == 0);
  CHECK(window.bytes() == 0);
  CHECK(window.games() == 0);
  window.add(5000, toy_game(5, 9));
  check_uniform(window, 6);
}

TEST_CASE("the oldest games leave when there are more positions than the schedule allows") {
  const WindowConfig config{.first = 100, .max_positions = 300};
  Window window(config);
  std::uint64_t seen = 0;
  for (std::uint64_t i = 1; i <= 500; ++i) {
    const GameRecord game = toy_game(i, 9);
    seen += examples_in(game);
    window.add(i, game);
    REQUIRE(window.seen() == seen);
    REQUIRE(window.positions() <= window_positions(config, seen));
    REQUIRE(window.positions() + 6 > std::min<std::uint64_t>(seen, window_positions(config, seen)));
  }
  CHECK(window.games() == 50);
  for (const auto& [place, count] : drawn(window, 10000)) REQUIRE(place.first > 450);
  CHECK(!window.drop(450));
  CHECK(window.drop(451));
  window.add(501, toy_game(501, 9));
  CHECK(window.games() == 50);  // room that a dropped game left is used
}

TEST_CASE("the oldest games leave when they take more memory than allowed, the newest never") {
  WindowConfig config = roomy();
  config.max_bytes = 10 * bytes_of(toy_game(1, 30));
  Window window(config);
  for (std::uint64_t i = 1; i <= 30; ++i) {
    window.add(i, toy_game(i, 30));
    REQUIRE(window.bytes() <= config.max_bytes);
  }
  CHECK(window.games() == 10);
  window.add(31, toy_game(31, 1000));
  CHECK(window.games() == 1);
  CHECK(window.bytes() > config.max_bytes);
  window.add(32, toy_game(32, 9));
  CHECK(window.games() == 1);
  CHECK(window.positions() == 6);
}

TEST_CASE("a window made later goes on with the schedule where it was") {
  const WindowConfig config{.first = 100, .max_positions = 1'000'000};
  Window window(config, 100'000);
  for (std::uint64_t i = 1; i <= 100; ++i) window.add(i, toy_game(i, 9));
  CHECK(window.positions() == 600);
  CHECK(window.seen() == 100'600);
}

TEST_CASE("batches are examples of the window's games through every symmetry") {
  const Rules& rules = shipped("connect4");
  Window window(roomy());
  std::uint64_t sequence = 0;
  std::map<std::vector<float>, int> rows;  // what may come up
  ExampleWriter writer(rules, {0.5f});
  const auto key = [&](const TrainingBatch& batch, std::size_t row) {
    const auto floats = std::size_t(rules.plane_floats());
    std::vector<float> values(batch.planes.begin() + long(row * floats),
                              batch.planes.begin() + long((row + 1) * floats));
    for (std::size_t i = 0; i < 3; ++i) values.push_back(batch.wdl[3 * row + i]);
    for (std::size_t i = 0; i < 7; ++i) values.push_back(batch.policy[7 * row + i]);
    return values;
  };
  for (const StoredGame& game : played_games(rules, 5)) {
    window.add(++sequence, game.record);
    for (std::size_t ply = 0; ply < game.record.plies.size(); ++ply)
      for (int symmetry = 0; symmetry < 2 && is_example(game.record.plies[ply]); ++symmetry) {
        TrainingBatch row;
        writer.add(game.record, ply, symmetry, row);
        rows[key(row, 0)] = 0;
      }
  }
  TrainingBatch batch, again;
  Rng rng(1), same(1);
  window.fill(writer, rng, 4000, batch);
  window.fill(writer, same, 4000, again);
  CHECK(batch.rows == 4000);
  CHECK(batch.planes == again.planes);
  for (std::size_t row = 0; row < 4000; ++row) {
    REQUIRE(rows.contains(key(batch, row)));
    ++rows[key(batch, row)];
  }
  for (const auto& [values, count] : rows) CHECK(count > 0);
}

TEST_CASE("threads draw while another adds and drops") {
  const Rules& rules = shipped("tictactoe");
  Window window({.first = 200, .max_positions = 300});
  const std::vector<StoredGame> games = played_games(rules, 20);
  window.add(1, games[0].record);
  std::atomic<bool> done = false;
  std::vector<std::thread> loaders;
  std::atomic<int> batches = 0;
  for (std::uint64_t i = 0; i < 2; ++i)
    loaders.emplace_back([&, i] {
      ExampleWriter writer(rules, {});
      TrainingBatch batch;
      Rng rng(i);
      while (!done || batches < 20) {
        batch.clear();
        window.fill(writer, rng, 16, batch);
        ++batches;
      }
    });
  for (std::uint64_t i = 2; i < 2000; ++i) {
    window.add(i, games[i % games.size()].record);
    if (i % 3 == 0) window.drop(i - 1);
  }
  done = true;
  for (std::thread& loader : loaders) loader.join();
  CHECK(window.positions() <= 300);
}

TEST_CASE("a window may leave out what was searched cheaply, and keeps what others played") {
  const Rules& rules = shipped("connect4");
  Window window({.cheap = false});
  std::size_t full = 0;
  std::uint64_t sequence = 0;
  for (const StoredGame& game : played_games(rules, 30)) {
    for (const PlyRecord& ply : game.record.plies) full += ply.full;
    window.add(++sequence, game.record);
  }
  CHECK(full > 100);
  CHECK(window.positions() == full);
  Rng rng(1);
  for (int i = 0; i < 500; ++i) {
    const Example example = window.draw(rng);
    CHECK(example.game->plies[example.ply].full);
  }
  GameRecord foreign;
  foreign.ending = Ending::by_rules;
  foreign.plies.assign(7, {.action = 3, .value = {1, 0, 0}});
  window.add(++sequence, foreign);
  CHECK(window.positions() == full + 7);
}
