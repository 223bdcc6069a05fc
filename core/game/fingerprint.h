#pragma once
#include "core/game/rules.h"

namespace tabula {

// Plays seeded random games and hashes what the rules and the encoding answered.
Fingerprints play_fingerprints(const Rules& rules);

}  // namespace tabula
