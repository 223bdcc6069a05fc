// Games of self-play for tests: one alone, or many through a group.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "core/search/game_group.h"
#include "tests/support.h"

namespace tabula {

inline GameRecord played(const Rules& rules, const GameConfig& config, Evaluator& evaluator,
                         std::uint64_t seed) {
  SelfPlayGame game(rules, config);
  game.start(0, seed);
  std::vector<Question> questions;
  std::vector<Answer> answers;
  while (const int count = game.gather()) {
    questions.clear();
    for (int i = 0; i < count; ++i) questions.push_back(game.question(i));
    answers.resize(questions.size());
    evaluator.evaluate(questions, answers);
    game.expand(answers);
  }
  CHECK(game.over());
  return game.record();
}

// Plays these games, so many at a time, each with its number as seed.
struct PlayedGroup {
  std::map<std::uint64_t, GameRecord> games;
  PlayStats stats;
};
inline PlayedGroup played_together(const Rules& rules, const GameConfig& config,
                                   Evaluator& evaluator, int at_a_time,
                                   const std::vector<std::uint64_t>& numbers) {
  PlayedGroup out;
  std::size_t given = 0;
  GameGroup group(
      rules, config, at_a_time,
      [&]() -> std::optional<GameTicket> {
        if (given == numbers.size()) return {};
        const std::uint64_t number = numbers[given++];
        return GameTicket{number, number};
      },
      [&](const GameRecord& game) { CHECK(out.games.emplace(game.number, game).second); });
  while (group.round(evaluator) > 0) {}
  CHECK(out.games.size() == numbers.size());
  out.stats = group.stats();
  return out;
}

inline std::vector<std::uint64_t> first_numbers(int count) {
  std::vector<std::uint64_t> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(std::uint64_t(i));
  return numbers;
}

inline std::vector<Action> actions_of(const GameRecord& game) {
  std::vector<Action> actions;
  for (const PlyRecord& ply : game.plies) actions.push_back(ply.action);
  return actions;
}

inline bool searched(const PlyRecord& ply) { return !ply.opening && !ply.chance; }

// Replays a record through the rules: every claim in it must hold. Returns the last position.
inline State check_record(const Rules& rules, const GameRecord& game) {
  State state(rules);
  int opening = 0;
  for (const PlyRecord& ply : game.plies) {
    REQUIRE(!state.over());
    const std::vector<Action> legal = state.legal();
    REQUIRE(std::ranges::count(legal, ply.action) == 1);
    CHECK(ply.chance == state.at_chance());
    if (ply.opening) CHECK(opening++ == state.ply());  // openings are at the beginning
    const auto policy = game.policy_of(ply);
    CHECK(policy.empty() != ply.full);
    if (!searched(ply))
      CHECK((!ply.full && !ply.resign && ply.descents == 0 && ply.value == Wdl{}));
    float sum = 0;
    for (const PolicyEntry& entry : policy) {
      CHECK(std::ranges::count(legal, entry.action) == 1);
      CHECK(entry.weight > 0);
      sum += entry.weight;
    }
    if (ply.full) CHECK(sum == doctest::Approx(1));
    const Wdl& value = ply.value;
    CHECK(std::min({value.win, value.draw, value.loss}) > -1e-6f);
    if (searched(ply)) CHECK(value.win + value.draw + value.loss == doctest::Approx(1));
    if (ply.resign) CHECK(game.resigner == state.turn());
    state.apply(ply.action);
  }
  REQUIRE(game.ending != Ending::none);
  if (game.ending == Ending::resigned) {
    CHECK(game.plies.back().resign);
    CHECK(game.result == (game.resigner == 0 ? -1 : 1));
  } else {
    REQUIRE(state.over());
    CHECK(state.cut() == (game.ending == Ending::adjudicated));
    CHECK(state.result() == game.result);
  }
  return state;
}

}  // namespace tabula
