// Games as they travel, played or made up.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "core/data/game_codec.h"
#include "core/data/game_fields.h"
#include "core/data/zstd_frame.h"
#include "tests/fake_evaluator.h"
#include "tests/self_play.h"

namespace tabula {

inline StoredGame stored(const Rules& rules, const GameRecord& record) {
  StoredGame game{.game = rules.name(),
                  .rules = rules.fingerprints().rules,
                  .models = {"uniform", "0f1e2d3c4b5a69788796a5b4c3d2e1f0"},
                  .settings = "search = puct\nsimulations = 20\n",
                  .worker = "node-17/3",
                  .record = record};
  Rng rng(record.seed);
  for (std::uint8_t& byte : game.id) byte = std::uint8_t(rng.next());
  return game;
}

// Playout caps, random openings, and players that give up.
inline GameConfig varied_play() {
  GameConfig config;
  config.search.simulations = 20;
  config.full_share = 0.5f;
  config.cheap_simulations = 5;
  config.opening.plies = 4;
  config.resign = {.loss = 0.6f, .moves = 1, .play_on = 0.5f};
  return config;
}

inline std::vector<StoredGame> played_games(const Rules& rules, int count,
                                            const GameConfig& config = varied_play()) {
  FakeEvaluator evaluator;
  std::vector<StoredGame> games;
  for (const auto& [number, record] :
       played_together(rules, config, evaluator, 4, first_numbers(count)).games)
    games.push_back(stored(rules, record));
  return games;
}

inline std::string any_text(Rng& rng, std::size_t most, std::string_view letters) {
  std::string text(rng.below(std::uint32_t(most + 1)), ' ');
  for (char& c : text) c = letters[rng.below(std::uint32_t(letters.size()))];
  return text;
}

// Any number, small ones and those at the edges of msgpack's forms more often.
inline std::uint64_t any_number(Rng& rng, int bits) {
  const std::uint64_t number = rng.next() >> (63 - rng.below(std::uint32_t(bits)));
  return rng.below(4) ? number : (std::uint64_t{1} << rng.below(std::uint32_t(bits))) - 1;
}

inline void add_any_policy(Rng& rng, GameRecord& record, PlyRecord& ply) {
  ply.policy_begin = std::uint32_t(record.policy.size());
  double sum = 0;
  const std::uint32_t size = 1 + rng.below(rng.below(8) ? 8 : 400), step = 1 + rng.below(100);
  Action action = Action(rng.below(1000));
  const int skew = int(rng.below(4));  // from even to weights far below what can be told apart
  for (std::uint32_t i = 0; i < size; ++i, action += Action(1 + rng.below(step))) {
    float weight = 1e-3f + rng.uniform();
    for (int k = 0; k < skew; ++k) weight = 1e-12f + weight * weight * weight;
    record.policy.push_back({action, weight});
    sum += weight;
  }
  ply.policy_end = std::uint32_t(record.policy.size());
  for (std::size_t i = ply.policy_begin; i < ply.policy_end; ++i)
    record.policy[i].weight = float(record.policy[i].weight / sum);
}

// Of sound form: an opening, a die, a cheap search and two full ones.
inline StoredGame small_game() {
  StoredGame game;
  game.game = "toy";
  game.rules = 7;
  game.models = {"uniform"};
  GameRecord& record = game.record;
  record.ending = Ending::by_rules;
  record.policy = {{2, 0.25f}, {5, 0.75f}, {0, 1.f}};
  const Wdl even{0.5f, 0, 0.5f};
  record.plies = {{.action = 3, .opening = true},
                  {.action = 5, .full = true, .value = even, .policy_begin = 0, .policy_end = 2},
                  {.action = 1, .chance = true},
                  {.action = 4, .descents = 9, .value = even},
                  {.action = 0, .full = true, .value = even, .policy_begin = 2, .policy_end = 3}};
  return game;
}

// Of sound form, played by no rules.
inline StoredGame any_game(Rng& rng) {
  StoredGame game;
  game.game = "x" + any_text(rng, kLongestName - 1, "abyz0129_-");
  for (std::uint8_t& byte : game.id) byte = std::uint8_t(rng.next());
  game.rules = any_number(rng, 64);
  for (std::uint32_t i = 1 + rng.below(3); i-- > 0;)
    game.models.push_back(std::to_string(i) + any_text(rng, kMaxModelId - 1, "0123456789abcdef"));
  game.settings = any_text(rng, rng.below(8) ? 40 : kMaxSettings, "puct = 0.85\n ~");
  game.worker = any_text(rng, kMaxWorker, "worker !~/17");
  GameRecord& record = game.record;
  record.number = any_number(rng, 64);
  record.seed = any_number(rng, 64);
  const std::uint32_t plies = rng.below(60), openings = rng.below(5);
  for (std::uint32_t i = 0; i < plies; ++i) {
    PlyRecord ply{.action = Action(any_number(rng, 16)),
                  .opening = i < openings,
                  .chance = rng.below(5) == 0};
    if (!ply.opening && !ply.chance) {
      const float win = rng.uniform(), draw = (1 - win) * rng.uniform();
      ply.model = rng.below(std::uint32_t(game.models.size()));
      ply.descents = std::uint32_t(any_number(rng, 32));
      ply.value =
          rng.below(5) ? Wdl{win, draw, 1 - win - draw} : Wdl::certain(int(rng.below(3)) - 1);
      ply.full = rng.below(2) == 0;
      if (ply.full) add_any_policy(rng, record, ply);
    }
    record.plies.push_back(ply);
  }
  record.ending = Ending(rng.below(3) == 0 ? 0 : 1 + 2 * rng.below(2));
  record.result = record.ending == Ending::none ? 0 : int(rng.below(3)) - 1;
  record.play_on = rng.below(2) == 0;
  if (plies > 0 && record.plies.back().descents > 0 && rng.below(2) == 0) {
    record.plies.back().resign = true;
    record.resigner = int(rng.below(2));
    record.ending = record.play_on ? Ending::by_rules : Ending::resigned;
    if (!record.play_on) record.result = record.resigner == 0 ? -1 : 1;
  }
  return game;
}

inline std::string content_of(std::string_view bytes) {
  return zstd_content(bytes.substr(1), kMaxGameContent);
}

inline std::string with_content(std::string_view content) {
  return char(kGameFormat) + zstd_frame(content);
}

}  // namespace tabula
