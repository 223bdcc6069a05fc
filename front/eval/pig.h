#pragma once
#include "front/eval/players.h"
#include "games/pig/exact/exact.h"

namespace tabula {

constexpr const char* kPig = "pig100";

// A player's exact chances at Pig against optimal play: its decision is asked for in every position
// that its own play can lead to. requires: the rules are Pig's
pig::Seats pig_strength(const Rules& rules, const MakeEvaluator& player, const Choosing& choosing);

}  // namespace tabula
