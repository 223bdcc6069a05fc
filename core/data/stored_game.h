// The unit that travels from worker to store to trainer: a game, and where it came from.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/search/record.h"

namespace tabula {

using GameId = std::array<std::uint8_t, 16>;  // random bytes

// Plies that somebody else played, of whom no more is known than the moves and what came of them:
// their value is the result, as the mover sees it, and they have no policy.
constexpr std::string_view kForeign = "foreign";
// Among the model ids, those that are no network.
constexpr std::string_view kReservedModels[] = {"uniform", "rollout", "random", kForeign};

struct StoredGame {
  GameId id{};
  std::string game;                 // its name
  std::uint64_t rules = 0;          // its fingerprint
  std::vector<std::string> models;  // distinct ids; PlyRecord::model is an index
  std::string settings;             // of the search
  std::string worker;               // who played it
  GameRecord record;

  bool adjourned() const { return record.ending == Ending::none; }  // to be played on
  bool operator==(const StoredGame&) const = default;
};

// Limits of what travels.
constexpr std::size_t kMaxModelId = 64, kMaxModels = 256, kMaxWorker = 64, kMaxSettings = 4096;

// Throws Error, with a clause such as "ply 3 has no value", unless the game is sound as far as can
// be told without its rules: names and texts within limits, indices within range, only searched
// plies with findings and those with all of them, policies in order and ascending, sums of 1,
// foreign plies without findings, and who gave up as self-play does it. Plies count from 1.
void check_form(const StoredGame& game);

}  // namespace tabula
