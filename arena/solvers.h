#pragma once
#include <memory>

#include "core/arena/mover.h"

namespace tabula {

// The exact player of a game; nothing where there is none.
std::unique_ptr<Mover> solver_of(const Rules& rules);

}  // namespace tabula
